#include "unmask/store/export_tau2.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/json/parser.h"
#include "unmask/json/split.h"
#include "unmask/store/run.h"
#include "unmask/store/run_reader.h"
#include "unmask/store/run_store.h"
#include "unmask/store/store_fixtures.h"

namespace unmask::store {
namespace {

using fixtures::must;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using unmask::fixtures::TemporaryFolder;

/// A text in the form of a test's expectation: the raw value at `path`, keys and indices.
std::string_view at(std::string_view json, const std::vector<std::string>& path) {
  for (const std::string& step : path) {
    if (json.starts_with('[')) {
      const auto elements = json::split_array(json);
      const std::size_t index = std::stoul(step);
      if (!elements || index >= elements->size()) return "(missing)";
      json = (*elements)[index];
      continue;
    }
    std::string_view found = "(missing)";
    for (const json::RawMember& member :
         json::split_object(json).value_or(std::vector<json::RawMember>())) {
      if (member.key == step) found = member.value;
    }
    json = found;
  }
  return json;
}

std::vector<std::string> keys(std::string_view json) {
  std::vector<std::string> keys;
  for (json::RawMember& member :
       json::split_object(json).value_or(std::vector<json::RawMember>())) {
    keys.push_back(std::move(member.key));
  }
  return keys;
}

Turn turn(TurnKind kind, std::string body) {
  return {.kind = kind, .body = std::move(body), .timestamp = {}, .response = {}};
}

class Exports : public ::testing::Test {
 protected:
  Exports() : path_((folder_.path() / "run").string()), store_(fixtures::store_at(path_)) {
    must(store_.put_tasks(fixtures::kCell,
                          std::vector<TaskText>{{"z", R"({"id":"z"})"}, {"a", R"({"id":"a"})"}}));
  }

  UnitId play(const UnitKey& key, const std::vector<Turn>& turns, const Outcome& outcome) {
    const UnitId unit = must(store_.open_unit(key, 7));
    must(store_.append_turns(unit, turns));
    must(store_.finish(unit, outcome));
    return unit;
  }

  std::string exported(Exported* counts = nullptr) const {
    std::string text;
    const RunReader reader = must(RunReader::open(path_));
    const Exported result = must(export_tau2(reader, fixtures::kCell, "int4",
                                             [&](std::string_view piece) { text += piece; }));
    if (counts != nullptr) *counts = result;
    json::Parser parser;
    EXPECT_TRUE(parser.parse(text)) << text;
    return text;
  }

  TemporaryFolder folder_;
  std::string path_;
  RunStore store_;
};

TEST_F(Exports, HaveAllMembersInTheOriginalsOrder) {
  Outcome outcome = fixtures::outcome(1.0);
  outcome.info = R"({"steps":3})";
  std::vector<Turn> turns = {
      turn(TurnKind::assistant, R"({"role":"assistant","content":"Hi!","cost":0.0})"),
      turn(TurnKind::aside, R"({"judge":1})"),
      turn(TurnKind::user, R"({"content":"Help"})"),
      turn(
          TurnKind::assistant,
          R"({"role":"assistant","content":null,"tool_calls":[{"name":"f","id":"c1","arguments":{"n":1e3}}]})"),
      turn(TurnKind::tool, R"({"id":"c1","role":"tool","content":"ok","error":false,"extra":[1]})"),
      turn(TurnKind::system, R"({"content":"s"})"),
  };
  turns[2].timestamp = "2026-01-02T03:04:07";
  turns[3].response = {.prompt_tokens = 20,
                       .completion_tokens = 5,
                       .finish_reason = "tool_calls",
                       .seconds = 0.5,
                       .attempts = 1,
                       .cost = 0.25,
                       .log_probabilities = "{\"content\":[]}",
                       .raw_body = {}};
  play(fixtures::key("a"), turns, outcome);
  const std::string text = exported();
  EXPECT_THAT(keys(text), ElementsAre("timestamp", "unmask", "info", "tasks", "simulations",
                                      "simulation_index"));
  EXPECT_EQ(at(text, {"unmask"}),
            R"({"converted_from":"unmask.run/1","arm":"int4","tools":)" +
                fixtures::arm("int4").tools +
                R"(,"precision":"int4","harness":{"name":"unmask","version":"0.1.0"}})");
  EXPECT_THAT(
      keys(at(text, {"info"})),
      ElementsAre("git_commit", "num_trials", "max_steps", "max_errors", "user_info", "agent_info",
                  "environment_info", "seed", "text_streaming_config", "speech_complexity",
                  "audio_native_config", "retrieval_config", "retrieval_config_kwargs"));
  EXPECT_EQ(
      at(text, {"info", "agent_info"}),
      R"({"implementation":"llm_agent","llm":"some-model-int4","llm_args":{"temperature":0.0},)"
      R"("voice_settings":null})");
  EXPECT_EQ(at(text, {"info", "user_info"}),
            R"({"implementation":"user_simulator","llm":"other-model","llm_args":null,)"
            R"("global_simulation_guidelines":"Speak as the customer.","voice_settings":null,)"
            R"("persona_config":null})");
  EXPECT_EQ(at(text, {"info", "seed"}), "300");
  EXPECT_EQ(at(text, {"tasks"}), "[{\"id\":\"z\"},\n{\"id\":\"a\"}]");
  const std::string_view simulation = at(text, {"simulations", "0"});
  EXPECT_THAT(
      keys(simulation),
      ElementsAre("id", "task_id", "timestamp", "start_time", "end_time", "duration",
                  "termination_reason", "agent_cost", "user_cost", "agent_usage", "reward_info",
                  "messages", "ticks", "trial", "seed", "mode", "speech_environment", "review",
                  "user_only_review", "info", "auth_classification", "hallucination_retries_used",
                  "hallucination_check", "provider_session_id", "policy", "effect_timeline"));
  EXPECT_EQ(at(simulation, {"duration"}), "3.0");
  EXPECT_EQ(at(simulation, {"info"}), R"({"steps":3})");
  EXPECT_EQ(at(simulation, {"reward_info"}),
            R"({"reward":1.0,"db_check":null,"env_assertions":null,"action_checks":null,)"
            R"("nl_assertions":null,"communicate_checks":null,"reward_basis":null,)"
            R"("reward_breakdown":null,"info":null})");
  EXPECT_EQ(json::split_array(at(simulation, {"messages"}))->size(), 5U) << "the aside is none";
  const std::string_view greeting = at(simulation, {"messages", "0"});
  EXPECT_THAT(keys(greeting),
              ElementsAre("role", "content", "tool_calls", "is_audio", "turn_idx", "timestamp",
                          "cost", "usage", "raw_data", "generation_time_seconds", "audio_format",
                          "audio_path", "audio_script_gold", "speech_effects", "source_effects",
                          "channel_effects", "turn_taking_action", "utterance_ids", "chunk_id",
                          "is_final_chunk", "source", "contains_speech"));
  EXPECT_EQ(at(greeting, {"cost"}), "0.0");
  EXPECT_EQ(at(greeting, {"tool_calls"}), "null");
  EXPECT_EQ(at(simulation, {"messages", "1", "role"}), "\"user\"");
  EXPECT_EQ(at(simulation, {"messages", "1", "timestamp"}), "\"2026-01-02T03:04:07\"");
  EXPECT_EQ(at(simulation, {"messages", "1", "turn_idx"}), "1");
  const std::string_view call = at(simulation, {"messages", "2"});
  EXPECT_EQ(at(call, {"tool_calls"}),
            R"([{"id":"c1","name":"f","arguments":{"n":1e3},"requestor":"assistant"}])");
  EXPECT_EQ(at(call, {"cost"}), "0.25");
  EXPECT_EQ(at(call, {"usage"}), R"({"completion_tokens":5,"prompt_tokens":20})");
  EXPECT_EQ(at(call, {"raw_data", "choices", "0", "logprobs"}), "{\"content\":[]}");
  EXPECT_EQ(at(call, {"generation_time_seconds"}), "0.5");
  EXPECT_EQ(at(simulation, {"messages", "3"}),
            R"({"id":"c1","role":"tool","content":"ok","requestor":"assistant","error":false,)"
            R"("turn_idx":3,"timestamp":null,"extra":[1]})");
  EXPECT_EQ(at(simulation, {"messages", "4"}),
            R"({"role":"system","content":"s","turn_idx":4,"timestamp":null})");
}

TEST_F(Exports, ComeByTaskAndTrialWithoutWhatIsOpen) {
  for (const UnitKey& key : {fixtures::key("a", 1), fixtures::key("other", 0),
                             fixtures::key("z", 1), fixtures::key("a", 0), fixtures::key("z", 0)}) {
    play(key, {}, fixtures::outcome());
  }
  play(fixtures::key("a", 0, "bf16"), {}, fixtures::outcome());
  must(store_.open_unit(fixtures::key("z", 2), 1));
  Exported counts;
  const std::string text = exported(&counts);
  EXPECT_EQ(counts, (Exported{.units = 5, .left_open = 1, .malformed_calls = 0}));
  std::vector<std::string> order;
  const auto simulations = json::split_array(at(text, {"simulations"}));
  for (const std::string_view simulation : *simulations) {
    order.push_back(std::string(at(simulation, {"task_id"})) +
                    std::string(at(simulation, {"trial"})));
  }
  EXPECT_THAT(order, ElementsAre("\"z\"0", "\"z\"1", "\"a\"0", "\"a\"1", "\"other\"0"));
}

TEST_F(Exports, KeepCallsThatCanNotBeRead) {
  struct Case {
    std::string arguments;
    std::string kept;  ///< as `unmask_arguments`
  };
  const std::vector<Case> cases = {
      {R"("{\"a\": 1")", R"("{\"a\": 1")"},
      {R"("")", R"("")"},
      {"[1, 2]", R"("[1, 2]")"},
      {"null", R"("null")"},
      {"7", R"("7")"},
  };
  std::string calls;
  for (const Case& sample : cases) {
    if (!calls.empty()) calls += ',';
    calls += R"({"id":"c","name":"f","arguments":)" + sample.arguments + '}';
  }
  play(fixtures::key("a"),
       {turn(TurnKind::user, R"({"tool_calls":[)" + calls + "]}"),
        turn(TurnKind::assistant, R"({"tool_calls":[]})"),
        turn(TurnKind::assistant, R"({"tool_calls":[{}]})")},
       fixtures::outcome());
  Exported counts;
  const std::string text = exported(&counts);
  EXPECT_EQ(counts.malformed_calls, cases.size());
  const std::string_view messages = at(text, {"simulations", "0", "messages"});
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(at(messages, {"0", "tool_calls", std::to_string(i)}),
              R"({"id":"c","name":"f","arguments":{},"requestor":"user","unmask_arguments":)" +
                  cases[i].kept + '}');
  }
  EXPECT_EQ(at(messages, {"1", "tool_calls"}), "[]") << "an empty list is not null";
  EXPECT_EQ(at(messages, {"2", "tool_calls", "0"}),
            R"({"id":"","name":"","arguments":{},"requestor":"assistant"})");
}

TEST_F(Exports, LeaveNothingOfAnInfrastructureError) {
  Outcome outcome = fixtures::outcome();
  outcome.state = UnitState::infrastructure;
  outcome.termination = "infrastructure_error";
  outcome.reward.reset();
  outcome.info = R"({"error":"no answer"})";
  outcome.start_time.clear();
  play(fixtures::key("a"), {fixtures::turn(7, 0)}, outcome);
  const std::string text = exported();
  const std::string_view simulation = at(text, {"simulations", "0"});
  EXPECT_EQ(at(simulation, {"messages"}), "[]");
  EXPECT_EQ(at(simulation, {"reward_info"}), "null");
  EXPECT_EQ(at(simulation, {"policy"}), "null");
  EXPECT_EQ(at(simulation, {"info"}), R"({"error":"no answer"})");
  EXPECT_EQ(at(simulation, {"start_time"}), "\"2026-01-02T03:04:05\"") << "the run's";
}

TEST_F(Exports, AreJsonThatOthersRead) {
  play(fixtures::key("a"),
       {turn(TurnKind::user, "{\"content\":\"half \\ud83d, whole \\ud83d\\ude00, bad \xff\"}"),
        turn(TurnKind::user, "{\n  \"content\" : \"two\\nlines\"\n}")},
       fixtures::outcome());
  const std::string text = exported();
  const std::string_view messages = at(text, {"simulations", "0", "messages"});
  EXPECT_EQ(at(messages, {"0", "content"}), "\"half \uFFFD, whole \U0001F600, bad \uFFFD\"");
  EXPECT_EQ(at(messages, {"1", "content"}), R"("two\nlines")");
  EXPECT_EQ(at(messages, {"1", "turn_idx"}), "1");
}

TEST_F(Exports, NameTheUnitThatCanNotBeWritten) {
  for (const std::string_view body :
       {R"({"content":tru})", R"({"tool_calls":7})", R"({"tool_calls":[7]})"}) {
    const UnitKey key = fixtures::key("a", static_cast<int>(store_.units().size()));
    play(key, {fixtures::turn(7, 0), turn(TurnKind::user, std::string(body))}, fixtures::outcome());
    const RunReader reader = must(RunReader::open(path_));
    const auto result = export_tau2(reader, fixtures::kCell, "int4", [](std::string_view) {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::bad_input);
    EXPECT_THAT(result.error().message, HasSubstr("telecom-dense/int4, task a, trial 0"));
  }
}

TEST_F(Exports, NeedAnArm) {
  const RunReader reader = must(RunReader::open(path_));
  const auto result = export_tau2(reader, fixtures::kCell, "fp8", [](std::string_view) {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(result.error().message, HasSubstr("no arm telecom-dense/fp8"));
  EXPECT_EQ(at(exported(), {"simulations"}), "[\n]");
}

TEST_F(Exports, AsLinesHaveAllArms) {
  play(fixtures::key("a", 0, "int4"), {fixtures::turn(7, 0)}, fixtures::outcome());
  play(fixtures::key("a", 0, "bf16"), {fixtures::turn(7, 0)}, fixtures::outcome(0));
  must(store_.open_unit(fixtures::key("z"), 1));
  std::vector<std::string> lines(1);
  const RunReader reader = must(RunReader::open(path_));
  const Exported counts = must(export_jsonl(reader, [&](std::string_view piece) {
    for (const char byte : piece) {
      if (byte == '\n') {
        lines.emplace_back();
      } else {
        lines.back() += byte;
      }
    }
  }));
  EXPECT_EQ(counts, (Exported{.units = 2, .left_open = 1, .malformed_calls = 0}));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[2], "");
  EXPECT_EQ(at(lines[0], {"cell"}), "\"telecom-dense\"");
  EXPECT_EQ(at(lines[0], {"arm"}), "\"int4\"");
  EXPECT_EQ(at(lines[1], {"arm"}), "\"bf16\"");
  EXPECT_EQ(at(lines[1], {"reward_info", "reward"}), "0.0");
  EXPECT_EQ(at(lines[1], {"messages", "0", "role"}), "\"user\"");
  EXPECT_NE(at(lines[0], {"id"}), at(lines[1], {"id"}));
}

}  // namespace
}  // namespace unmask::store
