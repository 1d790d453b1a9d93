// Audits real public logs of tau2-bench and tau-bench and compares with counts made independently
// of this project.
#include <cstddef>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "reference/reference_data.h"
#include <gtest/gtest.h>

#include "unmask/audit/audit.h"
#include "unmask/inspect/harness_averages.h"
#include "unmask/study/log_facts.h"
#include "unmask/study/study_reader.h"

namespace unmask {
namespace {

using nlohmann::json;

constexpr std::size_t kAllLogs = 59;
// The reference's counts of these two know structured calls only: theirs stand in texts. The
// manifest has the calls and failures of both. Seeing no failed call, the reference never cuts an
// episode, so its S is ours from the K on at which none that passed has K failed calls.
struct TextProtocolLog {
  const char* repository;
  const char* file;
  std::uint64_t calls;
  std::uint64_t failed;
  int first_comparable_k;
};
constexpr TextProtocolLog kTextProtocolLogs[] = {
    {"ck496__tau-bench-agents", "act-Qwen3-4B", 8, 0, 1},
    {"ck496__tau-bench-agents", "react-Qwen3-8B", 144, 13, 3},
};

const TextProtocolLog* text_protocol(const std::string& log) {
  for (const TextProtocolLog& known : kTextProtocolLogs) {
    if (log.find(known.repository) != std::string::npos &&
        log.find(known.file) != std::string::npos) {
      return &known;
    }
  }
  return nullptr;
}

// Our counts by the reference's keys.
json counts_of(const ArmFacts& facts, const ArmFindings& arm) {
  std::map<std::string, std::uint64_t> hallucinated;
  std::uint64_t total = 0;
  for (const EpisodeFacts& episode : facts.episodes) {
    if (episode.excluded != Exclusion::none) continue;
    for (const CallFacts& call : episode.calls) {
      if (!call.failed || call.channel != Channel::tool_name) continue;
      ++hallucinated[std::string(call.party == Party::agent ? "assistant/" : "user/") +
                     facts.names.text(call.name)];
      ++total;
    }
  }
  return {
      {"episodes", arm.episodes},
      {"excluded", arm.excluded_infrastructure + arm.excluded_no_reward},
      {"tasks", arm.tasks},
      {"assistant_calls", arm.agent_calls},
      {"assistant_failed", arm.agent_failed},
      {"user_calls", arm.user_calls},
      {"user_failed", arm.user_failed},
      {"next_call_recovery", {arm.recovery.next_call.recovered, arm.recovery.next_call.followed}},
      {"hallucinated", hallucinated},
      {"hallucinated_total", total}};
}

TEST(LogsReference, AuditsMatchTheIndependentCounts) {
  reference::Vectors vectors("logs/EXPECTED.json", kAllLogs);
  if (!vectors.available()) return;
  const json expected = vectors.json();
  for (const auto& [log, wanted] : expected.items()) {
    SCOPED_TRACE(log);
    const std::string path = (reference::shared_folder() / "logs" / log).string();
    Result<StudyRead> study = read_study({{.info = {.cell = "cell"},
                                           .reference = "arm",
                                           .arms = {{.name = "arm", .paths = {path}}}}},
                                         {});
    ASSERT_TRUE(study.has_value()) << study.error().message;
    AuditSettings settings;
    settings.bootstrap = 100;
    const std::optional<AuditFindings> findings = audit_study(study->cells, settings);
    ASSERT_TRUE(findings.has_value());
    const ArmFindings& arm = findings->cells.at(0).arms.at(0);
    const json got = counts_of(study->cells[0].arms[0].facts, arm);
    const TextProtocolLog* text = text_protocol(log);
    for (const auto& [key, value] : wanted.items()) {
      if (key == "S") continue;
      if (text != nullptr && key != "episodes" && key != "excluded" && key != "tasks") continue;
      EXPECT_EQ(got.at(key), value) << key;
    }
    if (text != nullptr) {
      EXPECT_EQ(got.at("assistant_calls"), text->calls);
      EXPECT_EQ(got.at("assistant_failed"), text->failed);
    }
    if (wanted.contains("S")) {
      for (const auto& [k, share] : wanted["S"].items()) {
        if (text != nullptr && std::stoi(k) < text->first_comparable_k) continue;
        const auto at = static_cast<std::size_t>(std::stoi(k)) - 1;
        ASSERT_LT(at, arm.score.size());
        EXPECT_NEAR(arm.score[at].score.value.value_or(-1.0), share.get<double>(), 5e-5)
            << "K=" << k;
      }
    }
    vectors.count();
  }
  vectors.finish();
}

// The averages that tau-bench itself wrote beside its results, crashes included.
TEST(LogsReference, PublishedAveragesOfTauBench) {
  reference::Vectors vectors("logs/MANIFEST.tsv", 3);
  if (!vectors.available()) return;
  std::istringstream manifest(reference::read_bytes(vectors.path()).value());
  for (std::string line; std::getline(manifest, line);) {
    const std::vector<std::string> fields = reference::fields_of(line);
    if (fields.size() < 6 || !fields[5].starts_with("tau1 {metrics")) continue;
    SCOPED_TRACE(fields[0]);
    const auto path = reference::shared_folder() / "logs" / fields[0];
    const json published = json::parse(reference::read_bytes(path).value()).at("metrics");
    Diagnostics diagnostics;
    const Result<LogFacts> log =
        read_log_facts({.name = path.string(), .files = {path.string()}}, {}, diagnostics);
    ASSERT_TRUE(log.has_value()) << log.error().message;
    const HarnessAverages averages = harness_averages(log->header, log->facts);
    EXPECT_NEAR(averages.average_reward.value(), published.at("avg_reward").get<double>(), 1e-12);
    ASSERT_EQ(averages.pass.size(), 1U);
    const std::vector<double>& pass_hat = averages.pass[0].pass_hat;
    ASSERT_EQ(pass_hat.size(), published.at("pass_hat_ks").size());
    for (std::size_t k = 1; k <= pass_hat.size(); ++k) {
      EXPECT_NEAR(pass_hat[k - 1], published.at("pass_hat_ks").at(std::to_string(k)).get<double>(),
                  1e-12);
    }
    vectors.count();
  }
  vectors.finish();
}

}  // namespace
}  // namespace unmask
