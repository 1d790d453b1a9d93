#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/ingest/log_fixtures.h"

namespace unmask {
namespace {

using fixtures::load_text;
using fixtures::Loaded;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;

const std::string kMessages = R"([
  {"role": "system", "content": "Be brief."},
  {"role": "user", "content": "Open it."},
  {"role": "assistant", "content": null, "tool_calls": [
    {"id": "c1", "type": "function", "function": {"name": "open_lid", "arguments": "{\"lamp\": 7}"}},
    {"id": "c2", "type": "function", "function": {"name": "fly", "arguments": "{}"}}]},
  {"role": "tool", "tool_call_id": "c2", "content": "Tool fly not found in agent A"},
  {"role": "tool", "tool_call_id": "c1", "content": "open"},
  {"role": "assistant", "content": "Done."}])";

std::string on_one_line(std::string text) {
  std::erase(text, '\n');
  return text;
}

std::string episode(const std::string& members, const std::string& messages = kMessages) {
  return on_one_line("{" + members + (members.empty() ? "" : ", ") + R"("messages": )" + messages +
                     "}");
}

void expect_calls(const Episode& episode) {
  ASSERT_EQ(episode.calls.size(), 2U);
  EXPECT_EQ(episode.calls[0], (ToolCall{.id = "c1",
                                        .name = "open_lid",
                                        .arguments = R"({"lamp": 7})",
                                        .message = 2,
                                        .answered = true,
                                        .result = "open"}));
  EXPECT_EQ(episode.calls[1], (ToolCall{.id = "c2",
                                        .name = "fly",
                                        .arguments = "{}",
                                        .message = 2,
                                        .answered = true,
                                        .failed = true,
                                        .result = "Tool fly not found in agent A"}));
  EXPECT_EQ(episode.messages, 6U);
  EXPECT_EQ(episode.agent_messages, 2U);
}

TEST(OpenAi, EveryFrameOfMessages) {
  const std::string object = episode(R"("task_id": "lamp", "pass": true)");
  const std::string bare = on_one_line(kMessages);
  for (const std::string& text :
       {object, object + "\n" + object, "[" + object + "]", bare, bare + "\n" + bare,
        "[" + bare + "]", R"({"splits": {"train": [)" + object + R"(], "test": []}})"}) {
    const Loaded loaded = load_text(text);
    ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message << text;
    EXPECT_EQ(loaded.log->header.format, "openai chat");
    ASSERT_FALSE(loaded.log->episodes.empty()) << text;
    for (const Episode& read : loaded.log->episodes) expect_calls(read);
    EXPECT_GT(loaded.log->episodes[0].ref.length, 0U);
  }
}

TEST(OpenAi, SplitsKeepTheirEpisodesApart) {
  const std::string row = episode(R"("task_id": "lamp", "simulation_id": "s", "reward": 1.0)");
  const Loaded loaded = load_text(R"({"note": [1], "splits": {"train": [)" + row + "," + row +
                                  R"(], "test": [)" + row + R"(], "other": {"a": 1}}})");
  ASSERT_TRUE(loaded.log.has_value());
  ASSERT_EQ(loaded.log->episodes.size(), 3U);
  EXPECT_EQ(loaded.log->episodes[2].trial, 2);
  EXPECT_EQ(loaded.log->episodes[2].id, "s");
}

TEST(OpenAi, MembersByTheirNames) {
  const Loaded loaded = load_text(episode(R"("schema": "unmask.openai/1", "arm": "int4",
    "model": "hosted_vllm/Wizard-8B-AWQ", "domain": "workshop", "task_id": "lamp", "trial": 3,
    "seed": 11, "reward": 1.0, "termination_reason": "user_stop", "max_errors": 10,
    "num_trials": 4, "temperature": 0.5, "duration": 2.5,
    "usage": {"prompt_tokens": 7, "completion_tokens": 8}, "reward_basis": ["DB"],
    "user_tools": ["look"], "tools": ["open_lid", {"type": "function", "function": {"name": "shut",
    "parameters": {"type": "object"}}}, {"name": "turn", "input_schema": {"a": 1}}, 7, {}])"));
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  const LogHeader& header = loaded.log->header;
  EXPECT_EQ(header.arm, "int4");
  EXPECT_EQ(header.domain, "workshop");
  EXPECT_EQ(header.identity.model, "hosted_vllm/Wizard-8B-AWQ");
  EXPECT_EQ(header.identity.precision, "int4");
  EXPECT_EQ(header.identity.sampling.at("temperature"), "0.5");
  EXPECT_EQ(header.max_errors, 10);
  EXPECT_EQ(header.num_trials, 4);
  EXPECT_EQ(header.inspect_only, "");
  EXPECT_TRUE(header.tools.complete);
  EXPECT_THAT(header.tools.agent, ElementsAre(ToolDefinition{"open_lid", ""},
                                              ToolDefinition{"shut", R"({"type":"object"})"},
                                              ToolDefinition{"turn", R"({"a":1})"}));
  EXPECT_THAT(header.tools.user, ElementsAre(ToolDefinition{"look", ""}));
  const Episode& read = loaded.log->episodes.at(0);
  EXPECT_EQ(read.task_id, "lamp");
  EXPECT_EQ(read.trial, 3);
  EXPECT_EQ(read.seed, 11);
  EXPECT_EQ(read.reward, 1.0);
  EXPECT_EQ(read.termination, Termination::user_stop);
  EXPECT_EQ(read.cost.seconds, 2.5);
  EXPECT_EQ(read.cost.prompt_tokens, 7);
  EXPECT_THAT(read.reward_basis, ElementsAre("DB"));
  EXPECT_FALSE(loaded.diagnostics.any_warning());
}

struct OutcomeCase {
  std::string members;
  std::optional<double> reward;
  Termination termination = Termination::unknown;
  std::string text;
};

TEST(OpenAi, Outcomes) {
  for (const OutcomeCase& example : {
           OutcomeCase{"", std::nullopt, Termination::unknown, ""},
           OutcomeCase{R"("success": true)", 1.0, Termination::unknown, ""},
           OutcomeCase{R"("pass": false)", 0.0, Termination::unknown, ""},
           OutcomeCase{R"("passed": "0.0")", 0.0, Termination::unknown, ""},
           OutcomeCase{R"("outcome": "passed")", 1.0, Termination::unknown, ""},
           OutcomeCase{R"("outcome": "fail")", 0.0, Termination::unknown, ""},
           OutcomeCase{R"("outcome": 1)", 1.0, Termination::unknown, ""},
           OutcomeCase{R"("outcome": "max_rounds")", std::nullopt, Termination::max_steps,
                       "max_rounds"},
           OutcomeCase{R"("success": false, "outcome": "done")", 0.0, Termination::unknown, "done"},
           OutcomeCase{R"("outcome": "done", "termination_reason": "agent_stop")", std::nullopt,
                       Termination::agent_stop, "agent_stop"},
           OutcomeCase{R"("reward": null, "success": true)", 1.0, Termination::unknown, ""},
           OutcomeCase{R"("reward": {"value": 1}, "metadata": {"pass": true})", 1.0,
                       Termination::unknown, ""},
           OutcomeCase{R"("reward": NaN)", std::nullopt, Termination::unknown, ""},
           OutcomeCase{R"("reward": "high")", std::nullopt, Termination::unknown, ""},
       }) {
    const Loaded loaded = load_text(episode(example.members));
    ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
    const Episode& read = loaded.log->episodes.at(0);
    EXPECT_EQ(read.reward, example.reward) << example.members;
    EXPECT_EQ(read.termination, example.termination) << example.members;
    EXPECT_EQ(read.termination_text, example.text) << example.members;
    EXPECT_EQ(loaded.log->header.inspect_only.empty(), example.reward.has_value());
    expect_calls(read);
  }
}

TEST(OpenAi, TasksByTheirNames) {
  EXPECT_EQ(load_text(episode(R"("task": {"id": 4}, "id": 9)")).log->episodes.at(0).task_id, "4");
  EXPECT_EQ(load_text(episode(R"("scenario": "a", "id": 9)")).log->episodes.at(0).task_id, "a");
  EXPECT_EQ(load_text(episode(R"("id": 9)")).log->episodes.at(0).task_id, "9");
  EXPECT_EQ(load_text(episode(R"("metadata": {"task_id": 1})")).log->episodes.at(0).task_id, "1");
  const Loaded none = load_text(episode(""));
  EXPECT_EQ(none.log->episodes.at(0).task_id, "");
  EXPECT_EQ(none.diagnostics.count("missing_task_id"), 1U);
}

TEST(OpenAi, ToolsOfEachEpisode) {
  const Loaded loaded =
      load_text(episode(R"("task_id": 1, "tools": ["a"])") + "\n" +
                episode(R"("task_id": 2, "tools": ["a"])") + "\n" +
                episode(R"("task_id": 3, "tools": ["b"], "tools_complete": false)") + "\n" +
                episode(R"("task_id": 4, "tools": ["b"], "tools_complete": false)") + "\n" +
                episode(R"("task_id": 5)"));
  ASSERT_TRUE(loaded.log.has_value());
  const std::vector<Episode>& episodes = loaded.log->episodes;
  ASSERT_EQ(episodes.size(), 5U);
  EXPECT_THAT(loaded.log->header.tools.agent, ElementsAre(ToolDefinition{"a", ""}));
  EXPECT_EQ(episodes[0].tools, nullptr);
  EXPECT_EQ(episodes[1].tools, nullptr);
  ASSERT_NE(episodes[2].tools, nullptr);
  EXPECT_THAT(episodes[2].tools->agent, ElementsAre(ToolDefinition{"b", ""}));
  EXPECT_FALSE(episodes[2].tools->complete);
  EXPECT_EQ(episodes[3].tools, episodes[2].tools);
  EXPECT_EQ(episodes[4].tools, nullptr);
}

TEST(OpenAi, OneFileIsOneArm) {
  const Loaded loaded = load_text(episode(R"("task_id": 1, "arm": "x", "model": "m")") + "\n" +
                                  episode(R"("task_id": 2, "arm": "y", "model": "m")") + "\n" +
                                  episode(R"("task_id": 3, "arm": "z", "model": "m")"));
  EXPECT_EQ(loaded.diagnostics.count("several_arms"), 1U);
  EXPECT_EQ(loaded.diagnostics.count("several_models"), 0U);
  EXPECT_THAT(loaded.sentence("several_arms"), HasSubstr("x, y"));
}

TEST(OpenAi, BothPartiesMayCall) {
  const Loaded loaded = load_text(episode(R"("task_id": 1, "tools": ["a"])", R"([
    {"role": "user", "content": "", "tool_calls": [
      {"id": "u", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "u", "requestor": "user", "content": "dark", "error": true},
    {"role": "assistant", "content": ""}, {"role": "assistant", "refusal": "No."}])"));
  const Episode& read = loaded.log->episodes.at(0);
  ASSERT_EQ(read.calls.size(), 1U);
  EXPECT_EQ(read.calls[0].party, Party::user);
  EXPECT_TRUE(read.calls[0].failed);
  EXPECT_EQ(read.communication_errors, 1U);
  // The user's tools are not listed: another name need not be a hallucination.
  EXPECT_FALSE(loaded.log->header.tools.complete);
}

TEST(OpenAi, CallsThatCantBeRead) {
  const Loaded loaded = load_text(episode("", R"([
    {"role": "assistant", "content": null, "tool_calls": [
      {"id": "1", "function": {"name": "a", "arguments": "{\"lamp\": "}},
      {"id": "2", "function": {"name": "a", "arguments": "[1]"}},
      {"id": "3", "function": {"name": "a", "arguments": ""}},
      {"id": "4", "function": {"arguments": "{}"}}, 7]},
    {"role": "tool", "tool_call_id": "1", "content": "open, though"},
    {"role": "tool", "tool_call_id": "3", "content": "open"}])"));
  const std::vector<ToolCall>& calls = loaded.log->episodes.at(0).calls;
  ASSERT_EQ(calls.size(), 5U);
  EXPECT_FALSE(calls[0].arguments_are_object);
  EXPECT_FALSE(calls[0].failed);  // the server could
  EXPECT_TRUE(calls[1].failed);
  EXPECT_TRUE(calls[2].arguments_are_object);
  EXPECT_FALSE(calls[2].failed);
  EXPECT_TRUE(calls[3].failed);
  EXPECT_FALSE(calls[4].arguments_are_object);
  EXPECT_EQ(calls[4].arguments, "7");
}

TEST(OpenAi, ResultsWithoutAMatchingId) {
  const Loaded loaded = load_text(episode("", R"([
    {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "a", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "9", "content": "open"},
    {"role": "tool", "content": "late"},
    {"role": "assistant", "function_call": {"name": "b", "arguments": "{}"}},
    {"role": "function", "name": "b", "content": "Error: shut"}])"));
  const std::vector<ToolCall>& calls = loaded.log->episodes.at(0).calls;
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].result, "open");
  EXPECT_TRUE(calls[1].failed);
  EXPECT_EQ(loaded.diagnostics.count("call_id_mismatch"), 1U);
  EXPECT_EQ(loaded.diagnostics.count("orphan_result"), 1U);
}

TEST(OpenAi, DecisionsOfUnmaskLog0) {
  const Loaded loaded = load_text(on_one_line(R"({"schema": "unmask-log-0", "arm": "m:q4_0",
    "scenario": "lamp", "success": false, "outcome": "max_rounds", "tools": ["open_lid", "shut"],
    "messages": [
      {"role": "assistant", "content": null, "tool_calls": [{"id": "1", "function":
        {"name": "open", "arguments": "{}"}}]},
      {"role": "tool", "tool_call_id": "1", "content": "{\"error\": \"unknown tool 'open'\"}"},
      {"role": "assistant", "content": "{\"name\": \"shut\", \"argu"},
      {"role": "tool", "tool_call_id": "call_0", "content": "{\"error\": \"malformed\"}"},
      {"role": "assistant", "content": null, "tool_calls": [{"id": "2", "function":
        {"name": "shut", "arguments": "{}"}}]},
      {"role": "tool", "tool_call_id": "2", "content": "Error is its name"},
      {"role": "assistant", "content": "Bye"}],
    "decisions": [
      {"msg_index": 0, "kind": "call", "name": "open", "error": "unknown_tool", "name_span": [1, 2],
       "tokens": [{"t": "{\"name\": ", "lp": 0, "top": []},
                  {"t": "\"open", "lp": -0.5, "top": [["\"shut", 1, -1.5]]},
                  {"t": "\"", "lp": -0.25, "top": [["_lid", 2, -2]]}]},
      {"msg_index": 2, "kind": "bad_json", "name": "shut", "error": "bad_json", "name_span": [0],
       "tokens": [{"t": "shut\"", "lp": -1, "top": [["fly", 1, -2]]}]},
      {"msg_index": 4, "kind": "call", "name": "shut", "error": null, "name_span": [7]},
      {"msg_index": 6, "kind": "text", "name": null, "error": null, "name_span": []},
      {"msg_index": -1, "kind": "call"}, {"msg_index": 99, "kind": "call", "name_span": [0],
       "tokens": [{"t": "a", "lp": 0}]}, 7]})"));
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  const LogHeader& header = loaded.log->header;
  EXPECT_EQ(header.arm, "m:q4_0");
  EXPECT_EQ(header.identity.precision, "int4");
  const Episode& read = loaded.log->episodes.at(0);
  EXPECT_EQ(read.termination, Termination::max_steps);
  ASSERT_EQ(read.calls.size(), 3U);
  EXPECT_TRUE(read.calls[0].failed);
  EXPECT_EQ(read.calls[1].name, "shut");
  EXPECT_FALSE(read.calls[1].arguments_are_object);
  EXPECT_TRUE(read.calls[1].answered);
  EXPECT_TRUE(read.calls[1].failed);
  EXPECT_FALSE(read.calls[2].failed);  // the record stands above the words
  ASSERT_EQ(read.decisions.size(), 2U);
  EXPECT_EQ(read.decisions[0].message, 0U);
  EXPECT_THAT(read.decisions[0].candidates,
              ElementsAre(Candidate{"open", -0.75, false}, Candidate{"shut", -1.5, true},
                          Candidate{"open_lid", -2.5, true}));
  EXPECT_FALSE(read.decisions[0].complete);
  EXPECT_EQ(read.decisions[1].message, 2U);
  EXPECT_THAT(read.decisions[1].candidates,
              ElementsAre(Candidate{"shut", -1.0, true}, Candidate{"fly", -2.0, false}));
}

TEST(OpenAi, LogprobsOfMessages) {
  const Loaded loaded = load_text(on_one_line(R"({"task_id": 1, "tools": ["a_b", "c_d"],
    "messages": [{"role": "assistant", "content": null,
      "logprobs": {"content": [
        {"token": "{\"name\": \"", "logprob": 0, "top_logprobs": []},
        {"token": "a_b", "logprob": -0.5, "top_logprobs": [{"token": "c", "logprob": -1}]},
        {"token": "\"}", "logprob": 0, "top_logprobs": []},
        {"token": "{\"name\": \"c_d\"}", "logprob": -2, "top_logprobs": []}]},
      "tool_calls": [{"id": "1", "function": {"name": "a_b", "arguments": "{}"}},
                     {"id": "2", "function": {"name": "c_d", "arguments": "{}"}}]}]})"));
  const Episode& read = loaded.log->episodes.at(0);
  ASSERT_EQ(read.decisions.size(), 2U);
  EXPECT_THAT(read.decisions[0].candidates,
              ElementsAre(Candidate{"a_b", -0.5, true}, Candidate{"c_d", -1.0, true}));
  EXPECT_THAT(read.decisions[1].candidates, ElementsAre(Candidate{"c_d", -2.0, true}));
}

TEST(OpenAi, BadInput) {
  const std::string good = episode(R"("task_id": 1, "reward": 1)");
  Loaded loaded = load_text(good + "\n" + good.substr(0, good.size() - 9));
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->episodes.size(), 1U);
  EXPECT_EQ(loaded.diagnostics.count("truncated_file"), 1U);

  loaded = load_text(good + R"(
    7
    {"task_id": 2, "messages": null}
    {"task_id": 3, "messages": {"role": "user"}}
    {"task_id": 4, "reward": 2, "trial": "x", "messages": [7, null, {"role": 7},
      {"role": "assistant", "tool_calls": "none"}, {"role": "assistant", "tool_calls": [[]]}],
      "decisions": {"a": 1}, "tools": {"open": 1}, "usage": [], "seed": 1e99, "domain": 7}
    {"task_id": 5, "messages": []})");
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->episodes.size(), 3U);
  EXPECT_EQ(loaded.diagnostics.count("missing_messages"), 2U);
  EXPECT_EQ(loaded.diagnostics.count("unreadable_message"), 2U);
  EXPECT_EQ(loaded.diagnostics.count("unknown_role"), 1U);
  EXPECT_EQ(loaded.diagnostics.count("reward_out_of_range"), 1U);
  EXPECT_EQ(loaded.diagnostics.count("wrong_type"), 2U);
}

TEST(OpenAi, ToolathlonResults) {
  const Loaded loaded = load_text(episode(R"("pass": false)", R"([
    {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "a", "arguments": "{"}}]},
    {"role": "tool", "tool_call_id": "1",
     "content": "{\"type\":\"text\",\"text\":\"Invalid JSON input for tool a\",\"annotations\":null,\"error\":true}"},
    {"role": "assistant", "tool_calls": [{"id": "2", "function": {"name": "a", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "2",
     "content": "{\"type\":\"text\",\"text\":\"Error is a word of this page\",\"error\":false}"}])"));
  const std::vector<ToolCall>& calls = loaded.log->episodes.at(0).calls;
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_TRUE(calls[0].failed);
  EXPECT_EQ(calls[0].result, "Invalid JSON input for tool a");
  EXPECT_FALSE(calls[1].failed);
}

/// Asks for transcripts.
class Transcripts final : public EpisodeSink {
 public:
  [[nodiscard]] bool wants_transcripts() const override { return true; }
  void header(const LogHeader& /*header*/) override { ++headers; }
  bool episode(Episode episode) override {
    episodes.push_back(std::move(episode));
    return true;
  }
  void superseded(std::size_t /*number*/) override {}

  int headers = 0;
  std::vector<Episode> episodes;
};

TEST(OpenAi, Transcripts) {
  const fixtures::TemporaryFolder folder;
  const std::string path = folder.write("log.json", episode(R"("task_id": 1)"));
  Transcripts sink;
  Diagnostics diagnostics;
  ASSERT_TRUE(read_log({path, {path}, false, false}, sink, diagnostics).has_value());
  EXPECT_EQ(sink.headers, 1);
  EXPECT_THAT(sink.episodes.at(0).transcript,
              ElementsAre(Message{MessageRole::system, "Be brief.", 0, 0, std::nullopt},
                          Message{MessageRole::user, "Open it.", 0, 0, std::nullopt},
                          Message{MessageRole::agent, "", 0, 2, std::nullopt},
                          Message{MessageRole::tool, "Tool fly not found in agent A", 2, 0, 1U},
                          Message{MessageRole::tool, "open", 2, 0, 0U},
                          Message{MessageRole::agent, "Done.", 2, 0, std::nullopt}));
}

TEST(OpenAi, MissingMembersAreCounted) {
  const Loaded loaded = load_text(episode(""));
  for (const char* member : {"reward", "seed", "task_id", "termination_reason", "tools", "trial"}) {
    EXPECT_THAT(loaded.log->header.missing_fields, testing::Contains(Key(member)));
  }
}

/// What has the members of a tau2-bench simulation stays one.
TEST(OpenAi, LeavesTau2Alone) {
  EXPECT_EQ(load_text(R"([{"task_id": "1", "reward_info": {"reward": 1.0}, "messages": []}])")
                .log->header.format,
            "tau2 simulation list");
  EXPECT_EQ(load_text(R"({"task_id": "1", "termination_reason": "user_stop", "messages": []})")
                .log->header.format,
            "tau2 simulation");
  EXPECT_EQ(load_text(R"({"schema": "unmask.openai/1", "task_id": "1", "reward": 1.0,
                          "termination_reason": "user_stop", "messages": []})")
                .log->header.format,
            "openai chat");
}

}  // namespace
}  // namespace unmask
