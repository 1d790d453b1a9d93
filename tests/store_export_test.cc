// A run's file, exported as tau2-bench results and read as a log: the figures are those of the run.
//
// With UNMASK_EXPORT_TO=FILE in the environment the export is kept there, for the Python original
// to load (tests/differential/store_export_test.py).

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/test_files.h"
#include <gtest/gtest.h>

#include "unmask/base/diagnostics.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/read_log.h"
#include "unmask/store/export_tau2.h"
#include "unmask/store/run.h"
#include "unmask/store/run_reader.h"
#include "unmask/store/run_store.h"

namespace unmask {
namespace {

using store::Turn;
using store::TurnKind;

constexpr std::string_view kTask = R"({"id":"TASK","description":null,
  "user_scenario":{"persona":null,"instructions":"Ask for the lamp."},"ticket":null,"initial_state":null,
  "evaluation_criteria":{"actions":[{"action_id":"TASK_0","requestor":"assistant","name":"find_lamp",
  "arguments":{"colour":"red"},"info":null,"compare_args":null}],"env_assertions":null,
  "communicate_info":null,"nl_assertions":null,"reward_basis":["DB"]}})";

std::string task_json(const std::string& id) {
  std::string text(kTask);
  for (std::size_t at = text.find("TASK"); at != std::string::npos; at = text.find("TASK")) {
    text.replace(at, 4, id);
  }
  return text;
}

store::ArmInfo arm() {
  store::ArmInfo arm;
  arm.cell = "workshop";
  arm.arm = "int4";
  arm.domain = "workshop";
  arm.agent = {"llm_agent", "some-model", R"({"temperature":0.0})"};
  arm.user = {"user_simulator", "other-model", R"({"temperature":0.0})"};
  arm.policy = "Sell lamps.";
  arm.tools =
      R"([{"type":"function","function":{"name":"find_lamp","parameters":{"type":"object"}}}])";
  arm.num_trials = 3;
  arm.max_steps = 40;
  arm.max_errors = 10;
  arm.seed = 300;
  arm.identity = R"({"precision":"int4","engine":"vllm 0.9","tools_complete":true,
    "user_tools":[{"type":"function","function":{"name":"switch_lamp"}}]})";
  return arm;
}

Turn message(TurnKind kind, std::string body) {
  Turn turn;
  turn.kind = kind;
  turn.body = std::move(body);
  turn.timestamp = "2026-01-02T03:04:05.000001";
  if (kind == TurnKind::assistant) {
    turn.response = store::ModelResponse{.prompt_tokens = 100, .completion_tokens = 7};
  }
  return turn;
}

/// An episode with a good call, a hallucinated one, one that can't be read, and one of the user.
std::vector<Turn> episode() {
  return {
      message(TurnKind::assistant, R"({"role":"assistant","content":"Hi! How can I help?"})"),
      message(TurnKind::user, R"({"role":"user","content":"A lamp. \ud83d\ude00 \ud83d"})"),
      message(
          TurnKind::assistant,
          R"({"content":null,"tool_calls":[{"id":"1","name":"find_lamp","arguments":{"n":12345678901234567890123}},)"
          R"({"id":"2","name":"paint_lamp","arguments":{"x":NaN}}]})"),
      message(TurnKind::tool, R"({"id":"1","content":"{}","error":false})"),
      message(TurnKind::tool,
              R"({"id":"2","content":"Error: Tool 'paint_lamp' not found.","error":true})"),
      message(TurnKind::aside, R"({"diagnosis":"no such tool"})"),
      message(
          TurnKind::assistant,
          R"({"content":null,"tool_calls":[{"id":"3","name":"find_lamp","arguments":"{\"colour\": "}]})"),
      message(TurnKind::tool,
              R"({"id":"3","content":"Error: arguments are no JSON","error":true})"),
      message(TurnKind::user, R"({"content":null,"tool_calls":[{"id":"4","name":"switch_lamp",)"
                              R"("arguments":{},"requestor":"user"}]})"),
      message(TurnKind::tool, R"({"id":"4","content":"on","requestor":"user","error":false})"),
      message(TurnKind::user, R"({"content":"###STOP###"})"),
  };
}

/// A run of two tasks, three trials each, the last of which is not finished.
std::string run_at(const std::string& path) {
  const auto must = [](const auto& result) { ASSERT_TRUE(result) << result.error().message; };
  auto store =
      store::RunStore::create(path, {.version = "0.1.0", .created = "2026-01-02T03:04:05"});
  must(store);
  must(store->put_arm(arm()));
  const std::vector<store::TaskText> tasks = {{"lamp", task_json("lamp")},
                                              {"chair", task_json("chair")}};
  must(store->put_tasks("workshop", tasks));
  for (const store::TaskText& task : tasks) {
    for (int trial = 0; trial < 3; ++trial) {
      const auto unit = store->open_unit({"workshop", "int4", task.id, trial}, 1000 + trial);
      must(unit);
      must(store->append_turns(*unit, episode()));
      if (task.id == "chair" && trial == 2) continue;
      store::Outcome outcome;
      outcome.termination = trial == 1 ? "max_steps" : "user_stop";
      outcome.reward = trial == 0 ? 1.0 : 0.0;
      outcome.reward_info =
          R"({"reward":)" + std::string(trial == 0 ? "1.0" : "0.0") + R"(,"reward_basis":["DB"]})";
      outcome.start_time = "2026-01-02T03:04:05";
      outcome.end_time = "2026-01-02T03:04:25";
      outcome.seconds = 20;
      must(store->finish(*unit, outcome));
    }
  }
  must(store->close());
  return path;
}

TEST(StoreExport, IsReadAsTheLogThatItIs) {
  const fixtures::TemporaryFolder folder;
  const std::string log = (folder.path() / "int4.json").string();
  {
    const auto reader = store::RunReader::open(run_at((folder.path() / "run").string()));
    ASSERT_TRUE(reader) << reader.error().message;
    std::ofstream file(log, std::ios::binary);
    const auto counts = store::export_tau2(*reader, "workshop", "int4",
                                           [&](std::string_view piece) { file << piece; });
    ASSERT_TRUE(counts) << counts.error().message;
    EXPECT_EQ(*counts, (store::Exported{.units = 5, .left_open = 1, .malformed_calls = 5}));
  }
  if (const char* const keep = std::getenv("UNMASK_EXPORT_TO")) {
    std::filesystem::copy_file(log, keep, std::filesystem::copy_options::overwrite_existing);
  }

  Diagnostics diagnostics;
  const auto loaded = load_log(log, diagnostics);
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (const Diagnostic& remark : diagnostics.kept()) {
    EXPECT_EQ(remark.severity, Severity::info) << remark.sentence;
  }
  const LogHeader& header = loaded->header;
  EXPECT_EQ(header.arm, "int4");
  EXPECT_EQ(header.domain, "workshop");
  EXPECT_EQ(header.harness.name, "unmask");
  EXPECT_EQ(header.harness.version, "0.1.0");
  EXPECT_EQ(header.identity.precision, "int4");
  EXPECT_EQ(header.identity.engine, "vllm 0.9");
  EXPECT_EQ(header.identity.model, "some-model");
  EXPECT_TRUE(header.tools.complete);
  ASSERT_EQ(header.tools.agent.size(), 1U);
  EXPECT_EQ(header.tools.agent[0].name, "find_lamp");
  ASSERT_EQ(header.tools.user.size(), 1U);
  EXPECT_EQ(header.max_errors, 10);
  EXPECT_EQ(header.tasks.size(), 2U);
  ASSERT_EQ(loaded->episodes.size(), 5U);
  for (const Episode& episode : loaded->episodes) {
    EXPECT_EQ(episode.messages, 10U);
    ASSERT_EQ(episode.calls.size(), 4U);
    EXPECT_EQ(episode.calls[0].arguments_are_object, true);
    EXPECT_EQ(episode.calls[1].failed, true);
    EXPECT_EQ(episode.calls[2].failed, true);
    EXPECT_EQ(episode.calls[2].arguments_are_object, false);
    EXPECT_EQ(episode.calls[2].arguments, "{\"colour\": ");
    EXPECT_EQ(episode.calls[3].party, Party::user);
    EXPECT_EQ(episode.cost.prompt_tokens, 300);
    EXPECT_EQ(episode.cost.completion_tokens, 21);
    EXPECT_EQ(episode.seed, 1000 + *episode.trial);
    EXPECT_EQ(episode.reward, *episode.trial == 0 ? 1.0 : 0.0);
  }
}

}  // namespace
}  // namespace unmask
