// The synthetic ten-cell study of the reference data: tables of episodes with a known truth.
#include <map>
#include <string>

#include "reference/reference_data.h"
#include <gtest/gtest.h>

#include "unmask/audit/audit.h"

namespace unmask {
namespace {

using nlohmann::json;

constexpr std::size_t kCells = 10;

Channel channel_of(const std::string& name) {
  if (name == "name") return Channel::tool_name;
  if (name == "argument") return Channel::arguments;
  return Channel::entity;
}

ArmFacts arm_of(const std::string& name, const json& episodes, int k_obs) {
  ArmFacts arm;
  arm.name = name;
  arm.kinds.intern("");
  arm.budget = {.nominal = k_obs, .enforced = k_obs, .known = true};
  std::map<int, std::uint32_t> tasks;
  for (const json& row : episodes) {
    const int task = row[0].get<int>();
    const auto [found, added] = tasks.emplace(task, static_cast<std::uint32_t>(arm.tasks.size()));
    if (added) arm.tasks.push_back({std::to_string(task), std::to_string(task)});
    EpisodeFacts episode;
    episode.task = found->second;
    episode.trial = row[1].get<int>();
    episode.success = row[2].get<int>() == 1;
    episode.reward = episode.success ? 1.0 : 0.0;
    std::uint32_t message = 0;
    for (const json& call : row[3]) {
      CallFacts facts;
      facts.party = call[0] == "agent" ? Party::agent : Party::user;
      facts.name = arm.names.intern(call[1].get<std::string>());
      facts.failed = call[2].get<int>() == 0;
      facts.message = message++;
      if (facts.failed && !call[3].is_null())
        facts.channel = channel_of(call[3].get<std::string>());
      episode.calls.push_back(facts);
    }
    const bool stopped =
        counted_errors(episode, CountedParty::both) >= static_cast<std::uint32_t>(k_obs);
    episode.termination = stopped ? Termination::too_many_errors : Termination::user_stop;
    arm.episodes.push_back(std::move(episode));
  }
  return arm;
}

class CellsReference : public testing::Test {
 protected:
  void load() {
    const reference::Vectors summary("cells/summary.json", kCells);
    if (!summary.available()) return;
    summary_ = summary.json();
    for (const auto& [name, truth] : summary_.items()) {
      reference::Vectors file("cells/" + name + ".json", 3);
      if (!file.available()) return;
      const json cell = file.json();
      CellInput input;
      input.info.cell = name;
      input.info.domain = name.substr(name.find("__") + 2);
      input.reference = cell["reference"].get<std::string>();
      for (const auto& [arm, episodes] : cell["arms"].items()) {
        input.arms.push_back({.facts = arm_of(arm, episodes, cell["K_obs"].get<int>())});
        file.count();
      }
      cells_.push_back(std::move(input));
      file.finish();
    }
  }

  json summary_;
  std::vector<CellInput> cells_;
};

TEST_F(CellsReference, VerdictsFollowTheTruth) {
  load();
  if (cells_.size() != kCells) return;
  AuditSettings settings;
  settings.sensitivity = false;
  const std::optional<AuditFindings> findings = audit_study(cells_, settings);
  ASSERT_TRUE(findings.has_value());
  std::size_t null_arms = 0;
  for (const CellFindings& cell : findings->cells) {
    const json& truth = summary_[cell.info.cell];
    const json& params = truth["params"];
    for (const ComparisonFindings& comparison : cell.comparisons) {
      SCOPED_TRACE(cell.info.cell + " " + comparison.arm + ": " +
                   truth["truth"].get<std::string>() + " -> " +
                   std::string(name_of(comparison.verdict)) + ": " + comparison.sentence);
      const double lambda_ratio =
          params[comparison.arm]["lam"].get<double>() / params["BF16"]["lam"].get<double>();
      const double shift = params[comparison.arm]["z_shift"].get<double>();
      std::cout << cell.info.cell << ' ' << comparison.arm << " x" << lambda_ratio << ' '
                << name_of(comparison.verdict) << ' ' << name_of(comparison.suffix) << ": "
                << comparison.sentence << '\n';
      if (lambda_ratio == 1.0 && shift == 0.0) {
        ++null_arms;
        EXPECT_FALSE(is_damage(comparison.verdict)) << "no effect, yet damage";
      }
      if (lambda_ratio >= 3.0) {
        EXPECT_NE(comparison.verdict, Verdict::clean);
      }
      if (cell.info.cell == "gemma-like-dense__telecom" && comparison.arm == "INT4") {
        EXPECT_EQ(comparison.verdict, Verdict::masked_damage);
        EXPECT_EQ(comparison.suffix, ScoreSuffix::equivalent);
      }
      for (const FailureSetFindings& set : comparison.failure_sets) {
        if (set.outcome == stats::FailureSetOutcome::too_few_errors) {
          EXPECT_FALSE(set.novel_share.has_value())
              << set.channel << ": a finding from near-zero counts";
          EXPECT_FALSE(set.spearman.has_value())
              << set.channel << ": a finding from near-zero counts";
        }
      }
      for (const AmplificationFindings& channel : comparison.amplification) {
        if (channel.tasks_with >= 8) continue;
        EXPECT_FALSE(channel.tested || channel.amplified) << channel.channel;
      }
    }
  }
  EXPECT_GE(null_arms, 10U);
}

TEST_F(CellsReference, CountsAndScoresAreThoseOfTheSummary) {
  load();
  if (cells_.size() != kCells) return;
  AuditSettings settings;
  settings.sensitivity = false;
  settings.details = false;
  const std::optional<AuditFindings> findings = audit_study(cells_, settings);
  ASSERT_TRUE(findings.has_value());
  for (const CellFindings& cell : findings->cells) {
    for (const ArmFindings& arm : cell.arms) {
      const json& realised = summary_[cell.info.cell]["realised"][arm.arm];
      SCOPED_TRACE(cell.info.cell + " " + arm.arm);
      EXPECT_EQ(arm.episodes, realised["episodes"].get<std::uint32_t>());
      EXPECT_EQ(arm.agent_calls, realised["agent_calls"].get<std::uint64_t>());
      EXPECT_EQ(arm.stopped_by_budget, realised["stopped"].get<std::uint32_t>());
      EXPECT_EQ(arm.channel("tool_name")->errors, realised["errors"].value("name", 0U));
      EXPECT_EQ(arm.channel("entity")->errors, realised["errors"].value("entity", 0U));
      for (const auto& [k, share] : realised["S"].items()) {
        EXPECT_NEAR(*arm.score.at(static_cast<std::size_t>(std::stoi(k)) - 1).score.value,
                    share.get<double>(), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace unmask
