#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference/reference_data.h"
#include <gtest/gtest.h>

#include "unmask/budget/budget_regime.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"
#include "unmask/inspect/harness_averages.h"
#include "unmask/inspect/inspect_report.h"

namespace unmask {
namespace {

using nlohmann::json;

/// A results file of the original, read just far enough for budget and averages.
struct SavedRun {
  LogHeader header;
  ArmFacts arm;
};

std::vector<CallFacts> read_calls(const json& messages) {
  std::vector<CallFacts> calls;
  std::uint32_t caller = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const json& message = messages.at(i);
    if (message.at("role") != "tool") {
      caller = static_cast<std::uint32_t>(i);
      continue;
    }
    CallFacts call;
    call.message = caller;
    call.party = message.at("requestor") == "user" ? Party::user : Party::agent;
    call.failed = message.value("error", false);
    calls.push_back(call);
  }
  return calls;
}

void add_episode(SavedRun& run, std::map<std::string, std::uint32_t>& tasks,
                 const json& simulation) {
  const std::string task = simulation.at("task_id");
  const auto [found, is_new] =
      tasks.emplace(task, static_cast<std::uint32_t>(run.arm.tasks.size()));
  if (is_new) run.arm.tasks.push_back({.id = task, .key = task});
  EpisodeFacts episode;
  episode.task = found->second;
  episode.trial = simulation.at("trial");
  episode.termination =
      termination_from_name(simulation.at("termination_reason").get<std::string>());
  episode.messages = static_cast<std::uint32_t>(simulation.at("messages").size());
  const json& reward_info = simulation.at("reward_info");
  if (episode.termination == Termination::infrastructure_error) {
    episode.excluded = Exclusion::infrastructure;
  } else if (reward_info.is_null()) {
    episode.excluded = Exclusion::no_reward;
  } else {
    episode.reward = reward_info.at("reward");
    episode.success = std::abs(episode.reward - 1.0) <= 1e-6;
  }
  // The one task with a message history here has no failed calls in it.
  episode.calls = read_calls(simulation.at("messages"));
  run.arm.names.intern("any");
  run.arm.episodes.push_back(std::move(episode));
}

SavedRun read_run(const std::filesystem::path& path) {
  const bool folder = std::filesystem::is_directory(path);
  const json saved =
      json::parse(reference::read_bytes(folder ? path / "results.json" : path).value());
  SavedRun run;
  run.header.num_trials = saved.at("info").at("num_trials").get<int>();
  run.header.max_errors = saved.at("info").at("max_errors").get<int>();
  for (const json& task : saved.at("tasks")) run.header.tasks.push_back({.id = task.at("id")});
  std::map<std::string, std::uint32_t> tasks;
  if (!folder) {
    for (const json& simulation : saved.at("simulations")) add_episode(run, tasks, simulation);
    return run;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path / "simulations")) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const auto& file : files) {
    add_episode(run, tasks, json::parse(reference::read_bytes(file).value()));
  }
  return run;
}

// One vector a results file of the original: its own averages (its pass^k was computed under
// pandas 3) and its infrastructure count.
TEST(InspectReference, HarnessAveragesEqualTheOriginals) {
  reference::Vectors vectors("tau2/orchestrator/metrics.json", 8);
  if (!vectors.available()) return;
  const json metrics = vectors.json();
  for (const auto& [name, entry] : metrics.items()) {
    SCOPED_TRACE(name);
    SavedRun run = read_run(vectors.path().parent_path() / "results" / name);
    run.arm.budget = infer_regime(run.header, run.arm.episodes);
    const InspectReport report = inspect(run.header, run.arm, {});
    const json& expected = entry.at("current_code").at("metrics");
    EXPECT_NEAR(report.averages.average_reward.value(), expected.at("avg_reward").get<double>(),
                1e-12);
    const PassAverages& pass = report.averages.pass.back();
    const json& pass_hat_ks = expected.at("pass_hat_ks");
    ASSERT_EQ(pass.pass_hat.size(), pass_hat_ks.size());
    for (std::size_t k = 1; k <= pass.pass_hat.size(); ++k) {
      EXPECT_NEAR(pass.pass_hat[k - 1], pass_hat_ks.at(std::to_string(k)).get<double>(), 1e-12);
    }
    EXPECT_EQ(report.averages.pass.size(), report.trials.infrastructure > 0 ? 2U : 1U);
    EXPECT_EQ(report.trials.infrastructure, expected.at("infra_error_count").get<std::uint32_t>());
    EXPECT_EQ(report.trials.recorded, entry.at("current_code").at("num_simulations_in_file"));
    // All were made with max_errors 3. Where an episode ran out, that settles it.
    const bool ran_out =
        report.terminations.at(static_cast<std::size_t>(Termination::too_many_errors)) > 0;
    EXPECT_EQ(run.arm.budget.known, ran_out);
    EXPECT_EQ(report.budget.observed, 3);
    EXPECT_EQ(report.budget.contradictions.contradicting, 0U);
    vectors.count();
  }
  vectors.finish();
}

}  // namespace
}  // namespace unmask
