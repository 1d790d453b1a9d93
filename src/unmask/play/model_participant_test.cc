#include "unmask/play/model_participant.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/episode/channel.h"
#include "unmask/llm/chat.h"
#include "unmask/play/message_rules.h"
#include "unmask/play/model_prompt.h"
#include "unmask/play/participant.h"
#include "unmask/play/play_fixtures.h"
#include "unmask/play/prompt_texts.h"
#include "unmask/world/data_files.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/task.h"

namespace unmask::play {
namespace {

using fixtures::task_of;
using testing::HasSubstr;

llm::ChatReply reply_of(std::vector<llm::ChatCall> calls) {
  llm::ChatReply reply;
  reply.tool_calls = std::move(calls);
  return reply;
}

TEST(ModelParticipant, ArgumentsOfCalls) {
  const auto read = [](std::string arguments) {
    const world::ToolCall call = tool_call(Party::user, {"1", "look", std::move(arguments)});
    EXPECT_EQ(call.requestor, Party::user);
    return call.unreadable_arguments ? "! " + *call.unreadable_arguments
                                     : dump_json(call.arguments);
  };
  EXPECT_EQ(read(R"({"a": 1})"), R"({"a": 1})");
  EXPECT_EQ(read(""), "{}") << "servers send this for a call without arguments";
  EXPECT_EQ(read(" \n"), "{}");
  EXPECT_EQ(read("[1]"), "! [1]");
  EXPECT_EQ(read("null"), "! null");
  EXPECT_EQ(read(R"({"a": )"), R"(! {"a": )");
  EXPECT_EQ(read("\"{}\""), "! \"{}\"");
}

TEST(ModelParticipant, MalformedCallsAreShownAsObjects) {
  world::Message message;
  message.tool_calls = {tool_call(Party::agent, {"1", "look", "{oh"})};
  const llm::ChatMessage shown = chat_message(Party::agent, message);
  EXPECT_EQ((*shown.tool_calls)[0].arguments, R"({"unreadable_arguments": "{oh"})");
}

TEST(ModelParticipant, Replies) {
  const ModelParticipant agent(Party::agent, {});
  llm::ChatReply reply = reply_of({{"1", "look", "{}"}});
  reply.content = "wait";
  reply.usage.prompt_tokens = 12;
  reply.seconds = 0.5;
  const auto sent = agent.take_reply(reply);
  ASSERT_TRUE(sent.has_value());
  EXPECT_EQ(sent->message.role, world::Role::assistant);
  EXPECT_EQ(sent->message.content, "wait");
  EXPECT_EQ(sent->message.tool_calls->size(), 1U);
  EXPECT_EQ(sent->usage.prompt_tokens, 12U);
  EXPECT_EQ(sent->seconds, 0.5);
  EXPECT_FALSE(sent->cost.has_value());
  EXPECT_FALSE(agent.take_reply({})->message.tool_calls.has_value()) << "no calls are none";
  EXPECT_FALSE(agent.stops(sent->message));
}

TEST(ModelParticipant, SoloReplies) {
  const ModelParticipant agent(Party::agent, {}, true);
  const auto done = agent.take_reply(reply_of({{"1", "look", "{}"}, {"2", "done", "{}"}}));
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(done->message.content, kStopWord);
  EXPECT_FALSE(done->message.tool_calls.has_value());
  EXPECT_TRUE(agent.stops(done->message));
  llm::ChatReply text;
  text.content = "hello";
  EXPECT_EQ(agent.take_reply(text).error().type, "ValueError");
}

TEST(ModelPrompt, Scenario) {
  const auto scenario = [](std::string json) {
    return scenario_text(
        task_of(R"({"id": "t", "user_scenario": )" + std::move(json) + "}").user_scenario);
  };
  EXPECT_EQ(scenario(R"({"instructions": "Say hello.\n\nThen go."})"),
            "Instructions:\n\tSay hello.\n\n\tThen go.");
  EXPECT_EQ(scenario(R"({"persona": "Calm", "instructions": {"domain": "retail",
      "reason_for_call": "A\nB", "known_info": "C", "unknown_info": null,
      "task_instructions": "D"}})"),
            "Persona:\n\tCalm\nInstructions:\n\tDomain: retail\n\tReason for call:\n\t\tA\n\t\tB\n"
            "\tKnown info:\n\t\tC\n\tTask instructions:\n\t\tD");
}

TEST(ModelPrompt, ToolsOfTheUser) {
  const auto world = fixtures::todo_world();
  const auto offered = [&](const std::string& tools) {
    const world::Task task = task_of(
        R"({"id": "t", "user_scenario": {"instructions": "x"}, "user_tools": )" + tools + "}");
    const ModelPrompt prompt = user_prompt(world->setup(), task, own_prompt_texts());
    EXPECT_EQ(prompt.tool_choice,
              prompt.tools.empty() ? llm::ToolChoice::unset : llm::ToolChoice::automatic);
    EXPECT_THAT(prompt.system,
                HasSubstr(prompt.tools.empty() ? "# You play a customer\n"
                                               : "# You play a customer who has a phone"));
    return prompt.tools.size();
  };
  EXPECT_EQ(offered("null"), 2U);
  EXPECT_EQ(offered("[]"), 0U);
  EXPECT_EQ(offered(R"(["check_notifications"])"), 1U);
  EXPECT_EQ(offered(R"(["check_notifications", "no_such_tool"])"), 0U);
}

TEST(ModelPrompt, Agents) {
  const auto world = fixtures::todo_world();
  const PromptTexts& texts = own_prompt_texts();
  const world::Task plain = fixtures::plain_task();
  const world::Task full = task_of(R"({"id": "t", "ticket": "Ada wants a task.",
    "user_scenario": {"instructions": "x"}, "evaluation_criteria": {"actions": [
      {"action_id": "a", "name": "create_task", "arguments": {"user_id": "ada", "n": 2}},
      {"action_id": "b", "requestor": "user", "name": "check_notifications", "arguments": {}}]}})");
  const auto agent = agent_prompt(AgentKind::plain, world->setup(), plain, texts);
  ASSERT_TRUE(agent.has_value());
  EXPECT_EQ(agent->system,
            "<instructions>\n" + texts.agent + "\n</instructions>\n<policy>\nBe kind.\n</policy>");
  EXPECT_EQ(agent->tools.size(), 4U);
  const auto told = agent_prompt(AgentKind::ground_truth, world->setup(), full, texts);
  ASSERT_TRUE(told.has_value());
  EXPECT_THAT(told->system,
              HasSubstr("<resolution_steps>\n[Step 1] Call create_task(user_id=ada, n=2).\n"
                        "[Step 2] Have the customer call check_notifications().\n"));
  const auto solo = agent_prompt(AgentKind::solo, world->setup(), full, texts);
  ASSERT_TRUE(solo.has_value());
  EXPECT_THAT(solo->system, HasSubstr("Be quick.\n</policy>\n<ticket>\nAda wants a task.\n"));
  EXPECT_EQ(solo->tools.size(), 7U);
  EXPECT_EQ(solo->tools.back().name, "done");
  EXPECT_EQ(solo->tool_choice, llm::ToolChoice::required);
  for (const AgentKind kind : {AgentKind::ground_truth, AgentKind::solo}) {
    const auto refused = agent_prompt(kind, world->setup(), plain, texts);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().text, "Task t is not valid. Cannot run GT agent.");
  }
}

TEST(SoloTasks, WhichAreValid) {
  const auto valid = [](const std::string& members) {
    return check_solo_task(
               task_of(R"({"id": "t", "user_scenario": {"instructions": "x"}, )" + members + "}"))
        .has_value();
  };
  EXPECT_FALSE(valid(R"("ticket": "T")"));
  EXPECT_FALSE(valid(R"("ticket": "T", "evaluation_criteria": {"actions": []})"));
  EXPECT_TRUE(valid(
      R"("ticket": "T", "evaluation_criteria": {"actions": [{"action_id": "a", "name": "n", "arguments": {}}]})"));
  EXPECT_TRUE(valid(R"("initial_state": {})"));
  EXPECT_FALSE(valid(
      R"("initial_state": {"message_history": [{"role": "user", "content": "hi"}]}, "ticket": "T")"));
  EXPECT_FALSE(
      valid(R"("initial_state": {"message_history": [{"role": "assistant", "content": "hi"}]})"));
}

TEST(PromptTexts, FromFiles) {
  const auto read = [](std::map<std::string, std::string> files) {
    return read_prompt_texts(world::DataFiles("data", std::move(files)));
  };
  EXPECT_EQ(*read({}), own_prompt_texts());
  const auto given = read(
      {{"agent_instructions.json",
        R"({"llm_agent": "A", "llm_agent_gt": "G", "llm_agent_solo": "S", "agent_step": "do {}",
            "user_step": "ask {}", "done": "D"})"},
       {"user_simulator/simulation_guidelines.md", "U\n"}});
  ASSERT_TRUE(given.has_value());
  EXPECT_EQ(given->agent, "A");
  EXPECT_EQ(given->user_step, "ask {}");
  EXPECT_EQ(given->user, "U\n");
  EXPECT_EQ(given->user_with_tools, own_prompt_texts().user_with_tools);
  EXPECT_THAT(read({{"agent_instructions.json", "{}"}}).error().message,
              HasSubstr("agent_instructions.json"));
}

}  // namespace
}  // namespace unmask::play
