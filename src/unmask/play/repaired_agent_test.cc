#include "unmask/play/repaired_agent.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/clock.h"
#include "unmask/episode/channel.h"
#include "unmask/play/model_participant.h"
#include "unmask/play/model_prompt.h"
#include "unmask/play/orchestrator.h"
#include "unmask/play/play_fixtures.h"
#include "unmask/play/scripted.h"
#include "unmask/play/text_protocol.h"

namespace unmask::play {
namespace {

using testing::HasSubstr;
using testing::Not;

/// An episode on the to-do list: the agent's model answers what the test says, the user is
/// scripted.
class Repaired {
 public:
  explicit Repaired(repair::Mode mode)
      : world_(fixtures::todo_world()),
        task_(fixtures::plain_task()),
        environment_(std::move(*world_->make_environment())),
        inner_(Party::agent, prompt()),
        agent_(inner_, mode,
               std::make_shared<repair::CallRepair>(inner_.prompt().tools,
                                                    repair::own_repair_texts())),
        user_({fixtures::said(Party::user, "Give me a task."),
               fixtures::said(Party::user, "Thanks. ###STOP###")}),
        episode_(*environment_, task_, {}, agent_, user_, clock_) {
    episode_.start();
  }

  /// What the model is asked now.
  llm::ChatRequest asked() {
    const std::optional<Question> question = episode_.advance();
    EXPECT_TRUE(question);
    return question ? question->request : llm::ChatRequest();
  }
  void answer_call(std::string name, std::string arguments) {
    llm::ChatReply reply;
    reply.tool_calls = {{"c" + std::to_string(++calls_), std::move(name), std::move(arguments)}};
    reply.usage.completion_tokens = 7;
    episode_.answer(reply);
  }
  void answer_words(std::string words) {
    llm::ChatReply reply;
    reply.content = std::move(words);
    episode_.answer(reply);
  }
  Orchestrator& episode() { return episode_; }
  [[nodiscard]] const RepairedAgent& agent() const { return agent_; }

 private:
  [[nodiscard]] ModelPrompt prompt() const {
    ModelPrompt prompt;
    prompt.system = "Be kind.";
    for (const world::Tool& tool : world_->setup().agent.tools) {
      prompt.tools.push_back(chat_tool(tool));
    }
    return prompt;
  }

  std::shared_ptr<const world::World> world_;
  world::Task task_;
  std::unique_ptr<world::Environment> environment_;
  ManualClock clock_;
  ModelParticipant inner_;
  RepairedAgent agent_;
  Scripted user_;
  Orchestrator episode_;
  int calls_ = 0;
};

TEST(RepairedAgent, OffChangesNothing) {
  Repaired run(repair::Mode::off);
  run.asked();
  run.answer_call("get_tasks", "{}");
  const llm::ChatRequest request = run.asked();
  EXPECT_EQ(request.messages.front().content, "Be kind.");
  EXPECT_EQ(request.messages.back().content, "Error: Tool 'get_tasks' not found.");
}

TEST(RepairedAgent, ARuleStandsInTheSystemPrompt) {
  Repaired run(repair::Mode::rule);
  const llm::ChatRequest request = run.asked();
  EXPECT_THAT(*request.messages.front().content,
              testing::AllOf(HasSubstr("Be kind."), HasSubstr("choose again")));
}

TEST(RepairedAgent, ReflexAddsADiagnosisToEachFailedResultAndNothingElse) {
  Repaired run(repair::Mode::reflex);
  const llm::ChatRequest first = run.asked();
  run.answer_call("get_tasks", "{}");
  const llm::ChatRequest second = run.asked();
  EXPECT_EQ(second.messages.front().content, "Be kind.");
  const std::string& told = *second.messages.back().content;
  EXPECT_THAT(told, HasSubstr("Error: Tool 'get_tasks' not found."));
  EXPECT_THAT(told, HasSubstr("no tool `get_tasks`"));
  EXPECT_THAT(told, HasSubstr("`create_task`"));
  run.answer_call("get_users", "{}");
  const llm::ChatRequest third = run.asked();
  // The request begins as the one before: what was said stays said.
  for (std::size_t i = 0; i < second.messages.size(); ++i) {
    EXPECT_EQ(third.messages[i], second.messages[i]) << i;
  }
  EXPECT_THAT(*third.messages.back().content, Not(HasSubstr("failed")));
  // The trajectory knows nothing of it.
  for (const world::Message& message : run.episode().trajectory()) {
    EXPECT_THAT(message.content.value_or(""), Not(HasSubstr("no tool `")));
  }
  EXPECT_EQ(run.episode().num_errors(), 1);
}

TEST(RepairedAgent, ReflexHandsOnWhatTheToolSaid) {
  Repaired run(repair::Mode::reflex);
  run.asked();
  run.answer_call("create_task", R"({"user_id": "bob", "title": "x"})");
  EXPECT_THAT(*run.asked().messages.back().content,
              HasSubstr("`create_task` refused the call: Error: User bob not found"));
}

TEST(RepairedAgent, InterceptHoldsBackWhatIsWrongByItself) {
  Repaired run(repair::Mode::intercept);
  run.asked();
  run.answer_call("get_tasks", "{}");
  EXPECT_EQ(run.episode().trajectory().size(), 2U);  // greeting, user
  EXPECT_EQ(run.episode().num_errors(), 0);
  EXPECT_EQ(run.episode().step_count(), 1);
  ASSERT_EQ(run.episode().held_back().size(), 1U);
  EXPECT_EQ(run.episode().held_back()[0].before, 2U);
  EXPECT_EQ(run.episode().held_back()[0].record.usage.completion_tokens, 7U);
  const llm::ChatRequest again = run.asked();
  ASSERT_EQ(again.messages.size(), 5U);  // system, greeting, user, the call, its diagnosis
  EXPECT_EQ((*again.messages[3].tool_calls)[0].name, "get_tasks");
  EXPECT_THAT(*again.messages[4].content, HasSubstr("not executed"));
  EXPECT_EQ(again.messages[4].tool_call_id, "c1");
  run.answer_call("get_users", "{}");
  // Of a turn that is over nothing is shown again.
  EXPECT_EQ(run.asked().messages.size(), 5U);
  EXPECT_EQ(run.episode().num_errors(), 0);
  run.answer_words("Done.");
  EXPECT_FALSE(run.episode().advance());
  EXPECT_EQ(run.episode().termination(), Termination::user_stop);
}

TEST(RepairedAgent, InterceptLetsGoInTheEnd) {
  Repaired run(repair::Mode::intercept);
  for (int i = 0; i < 3; ++i) {
    run.asked();
    run.answer_call("get_tasks", "{}");
  }
  EXPECT_EQ(run.episode().held_back().size(), 2U);
  EXPECT_EQ(run.episode().num_errors(), 1);
  EXPECT_EQ(run.asked().messages.size(), 5U);
}

TEST(RepairedAgent, InterceptLeavesRefusalsToTheTool) {
  Repaired run(repair::Mode::intercept);
  run.asked();
  run.answer_call("create_task", R"({"user_id": "bob", "title": "x"})");
  EXPECT_TRUE(run.episode().held_back().empty());
  EXPECT_EQ(run.episode().num_errors(), 1);
}

TEST(RepairedAgent, HeldBackMessagesCanBeGivenAgain) {
  Repaired run(repair::Mode::intercept);
  run.asked();
  run.answer_call("get_tasks", "{}");
  const llm::ChatRequest expected = run.asked();
  Repaired resumed(repair::Mode::intercept);
  resumed.asked();
  const HeldBack& held = run.episode().held_back()[0];
  resumed.episode().accept_held_back({.message = held.message,
                                      .cost = {},
                                      .usage = held.record.usage,
                                      .seconds = {},
                                      .time_us = {}});
  EXPECT_EQ(resumed.asked(), expected);
}

TEST(RepairedAgent, TheTextProtocolKeepsItsObjections) {
  const Repaired run(repair::Mode::intercept);
  const TextProtocol text(run.agent());
  world::Message message;
  message.tool_calls = {fixtures::call_of(Party::agent, "get_tasks")};
  EXPECT_TRUE(text.objection(message));
}

}  // namespace
}  // namespace unmask::play
