#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/ingest/log_fixtures.h"

namespace unmask {
namespace {

using fixtures::answers;
using fixtures::calls;
using fixtures::Loaded;
using fixtures::says;
using fixtures::SimulationText;
using testing::HasSubstr;

struct Read {
  Loaded loaded;
  Episode episode;
};

Read read(const std::vector<std::string>& messages) {
  SimulationText simulation = fixtures::small_simulation();
  simulation.messages = messages;
  Read result{fixtures::load_text(fixtures::results({to_json(simulation)})), {}};
  if (result.loaded.log && result.loaded.log->episodes.size() == 1) {
    result.episode = result.loaded.log->episodes[0];
  } else {
    ADD_FAILURE() << "no episode";
  }
  return result;
}

const std::string kTwoCalls =
    R"({"role": "assistant", "content": "both", "tool_calls": [
        {"id": "a", "name": "open_lid", "arguments": {}, "requestor": "assistant"},
        {"id": "b", "name": "turn_wheel", "arguments": {}, "requestor": "assistant"}]})";

TEST(Tau2Messages, ParallelCallsPairInOrder) {
  const Read result = read({kTwoCalls, answers("assistant", "a", "first"),
                            answers("assistant", "b", "Error: second", true)});
  ASSERT_EQ(result.episode.calls.size(), 2U);
  EXPECT_EQ(result.episode.calls[0].result, "first");
  EXPECT_FALSE(result.episode.calls[0].failed);
  EXPECT_EQ(result.episode.calls[1].result, "Error: second");
  EXPECT_TRUE(result.episode.calls[1].failed);
  EXPECT_EQ(result.episode.calls[0].message, result.episode.calls[1].message);
  EXPECT_EQ(result.episode.text_beside_calls, 1U);
}

TEST(Tau2Messages, AnswersInAnotherOrderPairByTheirIds) {
  const Read result =
      read({kTwoCalls, answers("assistant", "b", "for b"), answers("assistant", "a", "for a")});
  ASSERT_EQ(result.episode.calls.size(), 2U);
  EXPECT_EQ(result.episode.calls[0].result, "for a");
  EXPECT_EQ(result.episode.calls[1].result, "for b");
  EXPECT_EQ(result.loaded.diagnostics.count("call_id_mismatch"), 1U);
}

TEST(Tau2Messages, RepeatedEmptyAndUnknownIdsPairByOrder) {
  const Read repeated = read({calls("assistant", "x", "open_lid"), answers("assistant", "x", "1"),
                              calls("assistant", "x", "open_lid"), answers("assistant", "x", "2")});
  EXPECT_EQ(repeated.episode.calls.at(0).result, "1");
  EXPECT_EQ(repeated.episode.calls.at(1).result, "2");
  EXPECT_EQ(repeated.loaded.diagnostics.count("call_id_mismatch"), 0U);
  const Read empty = read({calls("assistant", "", "open_lid"), answers("assistant", "", "1")});
  EXPECT_EQ(empty.episode.calls.at(0).result, "1");
  EXPECT_EQ(empty.loaded.log->header.missing_fields.at("tool_calls[].id"), 1U);
  const Read unknown = read({calls("assistant", "x", "open_lid"), answers("assistant", "y", "1")});
  EXPECT_EQ(unknown.episode.calls.at(0).result, "1");
  EXPECT_EQ(unknown.loaded.diagnostics.count("call_id_mismatch"), 1U);
}

TEST(Tau2Messages, CallsWithoutResultsAndResultsWithoutCalls) {
  const Read result =
      read({answers("assistant", "z", "Error: from nowhere", true),
            calls("assistant", "a", "open_lid"), calls("assistant", "b", "turn_wheel"),
            answers("assistant", "b", "ok"), calls("assistant", "c", "open_lid")});
  ASSERT_EQ(result.episode.calls.size(), 3U);
  EXPECT_FALSE(result.episode.calls[0].answered);
  EXPECT_TRUE(result.episode.calls[1].answered);
  EXPECT_FALSE(result.episode.calls[2].answered);
  EXPECT_FALSE(result.episode.calls[2].failed);
  EXPECT_EQ(result.loaded.diagnostics.count("orphan_result"), 1U);
  EXPECT_EQ(result.loaded.log->header.missing_fields.at("tool results"), 2U);
}

TEST(Tau2Messages, TheUsersCallsAreTheUsers) {
  const Read result =
      read({calls("user", "u", "look_up"), answers("user", "u", "Error: no", true)});
  ASSERT_EQ(result.episode.calls.size(), 1U);
  EXPECT_EQ(result.episode.calls[0].party, Party::user);
  EXPECT_TRUE(result.episode.calls[0].failed);
  EXPECT_EQ(result.episode.agent_messages, 0U);
  // The requestor decides, not who sent the message.
  const Read crossed = read(
      {R"({"role": "assistant", "tool_calls": [{"id": "u", "name": "look_up", "arguments": {}, "requestor": "user"}]})"});
  EXPECT_EQ(crossed.episode.calls.at(0).party, Party::user);
}

TEST(Tau2Messages, RawDataIsNotCountedAgain) {
  std::string message = calls("assistant", "a", "open_lid");
  message.insert(message.size() - 1, R"(, "raw_data": {"tool_calls": [{"id": "a", "function":
      {"name": "open_lid", "arguments": "{}"}}]}, "usage": {"prompt_tokens": 100, "completion_tokens": 7})");
  const Read result = read({message, answers("assistant", "a", "ok"), message});
  EXPECT_EQ(result.episode.calls.size(), 2U);
  EXPECT_EQ(result.episode.cost.prompt_tokens, 200);
  EXPECT_EQ(result.episode.cost.completion_tokens, 14);
}

TEST(Tau2Messages, FlagDecidesWhereThereIsOne) {
  const Read result = read(
      {calls("assistant", "a", "open_lid"), answers("assistant", "a", "Error: only a text", false),
       calls("assistant", "b", "open_lid"), answers("assistant", "b", "no prefix", true),
       calls("assistant", "c", "open_lid"),
       R"({"role": "tool", "id": "c", "content": "Error: no flag"})",
       calls("assistant", "d", "open_lid"), R"({"role": "tool", "id": "d", "content": null})"});
  std::vector<bool> failed;
  for (const ToolCall& call : result.episode.calls) failed.push_back(call.failed);
  EXPECT_THAT(failed, testing::ElementsAre(false, true, true, false));
  EXPECT_EQ(result.loaded.log->header.missing_fields.at("tool messages[].error"), 2U);
}

TEST(Tau2Messages, BundledResultsAreTakenApart) {
  const Read result = read({kTwoCalls, "{\"role\": \"tool\", \"tool_messages\": [" +
                                           answers("assistant", "a", "1") + "," +
                                           answers("assistant", "b", "2") + "]}"});
  EXPECT_EQ(result.episode.calls.at(1).result, "2");
  EXPECT_EQ(result.episode.messages, 3U);
}

TEST(Tau2Messages, EmptyMessagesAndErrorListsAreCommunication) {
  const Read result =
      read({says("assistant", ""), says("assistant", "  \n"),
            R"({"role": "assistant", "content": null, "tool_calls": []})",
            R"({"role": "assistant", "content": "x", "errors": ["bad format", "again"]})",
            says("user", "")});
  EXPECT_EQ(result.episode.communication_errors, 5U);
  EXPECT_THAT(result.loaded.log->header.harness.evidence, HasSubstr("'errors' lists"));
}

TEST(Tau2Messages, ArgumentsOfOtherKinds) {
  const Read result =
      read({calls("assistant", "a", "f", R"("{\"x\": 1}")"),
            calls("assistant", "b", "f", R"("{\"x\": ")"), calls("assistant", "c", "f", "null"),
            calls("assistant", "d", "f", "[1]"),
            R"({"role": "assistant", "tool_calls": [{"id": "e", "type": "function",
           "function": {"name": "g", "arguments": "{}"}}]})"});
  ASSERT_EQ(result.episode.calls.size(), 5U);
  EXPECT_EQ(result.episode.calls[0].arguments, R"({"x": 1})");
  EXPECT_TRUE(result.episode.calls[0].arguments_are_object);
  EXPECT_EQ(result.episode.calls[1].arguments, R"({"x": )");
  EXPECT_FALSE(result.episode.calls[1].arguments_are_object);
  EXPECT_EQ(result.episode.calls[2].arguments, "{}");
  EXPECT_TRUE(result.episode.calls[2].arguments_are_object);
  EXPECT_FALSE(result.episode.calls[3].arguments_are_object);
  EXPECT_EQ(result.episode.calls[4].name, "g");
  EXPECT_TRUE(result.episode.calls[4].arguments_are_object);
}

TEST(Tau2Messages, ArgumentsThatOurRunsCouldNotReadStandBeside) {
  const Read result = read({R"({"role": "assistant", "tool_calls": [
          {"id": "a", "name": "f", "arguments": {}, "unmask_arguments": "{\"x\": "},
          {"id": "b", "name": "f", "arguments": {"y": 1}, "unmask_arguments": null}]})"});
  ASSERT_EQ(result.episode.calls.size(), 2U);
  EXPECT_EQ(result.episode.calls[0].arguments, R"({"x": )");
  EXPECT_FALSE(result.episode.calls[0].arguments_are_object);
  EXPECT_EQ(result.episode.calls[1].arguments, R"({"y":1})");
  EXPECT_TRUE(result.episode.calls[1].arguments_are_object);
}

TEST(Tau2Messages, CallsThatNameNoToolAreMalformed) {
  for (const std::string name : {R"("name": "", )", R"("name": null, )", ""}) {
    const Read result = read({R"({"role": "assistant", "tool_calls": [{"id": "a", )" + name +
                                  R"("arguments": {}, "requestor": "assistant"}]})",
                              answers("assistant", "a", "Error: no such tool", true)});
    ASSERT_EQ(result.episode.calls.size(), 1U) << name;
    EXPECT_TRUE(result.episode.calls[0].failed) << name;
    EXPECT_FALSE(result.episode.calls[0].arguments_are_object) << name;
  }
}

TEST(Tau2Messages, HistoryIsMarkedAndNotTheAgentsDoing) {
  const std::vector<std::string> history = {says("user", "earlier"),
                                            calls("assistant", "h", "open_lid"),
                                            answers("assistant", "h", "Error: jammed", true)};
  std::string task = fixtures::task("lamp");
  task.insert(task.size() - 1,
              ", \"initial_state\": {\"message_history\": [" + fixtures::joined(history) + "]}");
  SimulationText simulation = fixtures::small_simulation("lamp");
  simulation.messages.insert(simulation.messages.begin(), history.begin(), history.end());
  std::string text = fixtures::results({to_json(simulation)});
  const std::string plain = fixtures::task("lamp");
  text.replace(text.find(plain), plain.size(), task);
  const Loaded loaded = fixtures::load_text(text);
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->header.tasks.at(0).history_messages, 3U);
  const Episode& episode = loaded.log->episodes.at(0);
  EXPECT_EQ(episode.history_messages, 3U);
  EXPECT_EQ(episode.messages, 10U);
  EXPECT_EQ(episode.agent_messages, 4U);
  ASSERT_EQ(episode.calls.size(), 3U);
  EXPECT_TRUE(episode.calls[0].in_history);
  EXPECT_TRUE(episode.calls[0].failed);
  EXPECT_FALSE(episode.calls[1].in_history);
}

TEST(Tau2Messages, ContextWordsComeFromTexts) {
  const Read result =
      read({says("user", "try turn_wheel please"), calls("assistant", "a", "open_lid"),
            answers("assistant", "a", "{\"wheel_state\": 1}"),
            calls("assistant", "b", "functions.wheel_state"),
            answers("assistant", "b", "Error: no wheel_state", true),
            calls("assistant", "c", "turn_wheel"), answers("assistant", "c", "stuck", true)});
  EXPECT_THAT(result.episode.context_words, testing::ElementsAre(testing::Pair(0U, "turn_wheel"),
                                                                 testing::Pair(2U, "wheel_state")));
}

TEST(Tau2Messages, StrangeMessagesAreReported) {
  const Read result =
      read({"7", R"({"role": "narrator", "content": "x"})",
            R"({"role": "assistant", "content": "x", "tool_calls": "open_lid"})",
            R"({"role": "user", "content": [{"type": "text", "text": "open_lid now"}]})",
            calls("assistant", "a", "open_lid"), answers("assistant", "a", "stuck", true)});
  EXPECT_EQ(result.loaded.diagnostics.count("unreadable_message"), 1U);
  EXPECT_EQ(result.loaded.diagnostics.count("unknown_role"), 1U);
  EXPECT_EQ(result.loaded.diagnostics.count("wrong_type"), 1U);
  EXPECT_EQ(result.episode.messages, 6U);
  EXPECT_EQ(result.episode.context_words.size(), 1U);
}

}  // namespace
}  // namespace unmask
