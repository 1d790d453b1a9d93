#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/llm/chat.h"
#include "unmask/play/orchestrator.h"
#include "unmask/play/participant.h"
#include "unmask/play/play_fixtures.h"
#include "unmask/world/environment.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"

namespace unmask::play {
namespace {

using fixtures::bad;
using fixtures::call_of;
using fixtures::called;
using fixtures::ending;
using fixtures::good;
using fixtures::said;
using fixtures::task_of;

constexpr Party kAgent = Party::agent;
constexpr Party kUser = Party::user;

using Script = std::vector<SentMessage>;

constexpr const char* kHistory = R"({"id": "t", "user_scenario": {"instructions": "x"},
  "initial_state": {"message_history": [
    {"role": "user", "content": "A task, please"},
    {"role": "assistant", "content": null, "tool_calls": [
      {"id": "h", "name": "no_such_tool", "arguments": {}, "requestor": "assistant"}]},
    {"role": "tool", "id": "h", "content": "Error: Tool 'no_such_tool' not found.", "error": true},
    {"role": "assistant", "content": "LAST"}]}})";

std::string history(std::string_view last) {
  std::string json = kHistory;
  json.replace(json.find(R"({"role": "assistant", "content": "LAST"})"), 40, last);
  return json;
}

TEST(Orchestrator, History) {
  struct Row {
    std::string last;
    std::string ending;
    int steps;
  };
  for (const Row& row :
       std::vector<Row>{{R"({"role": "assistant", "content": "and now?"})", "user_stop", 1},
                        {R"({"role": "user", "content": "bye ###STOP###"})", "user_stop", 0},
                        {R"({"role": "user", "content": "go on"})", "user_stop", 2},
                        {R"({"role": "assistant", "content": " "})", "ValueError", 0},
                        {R"({"role": "tool", "id": "h", "content": "more"})", "ValueError", 0}}) {
    SCOPED_TRACE(row.last);
    fixtures::Episode episode({said(kAgent, "well")}, {said(kUser, "###STOP###")},
                              {.max_steps = 5, .max_errors = 1}, {}, task_of(history(row.last)));
    const Orchestrator& played = episode.play();
    EXPECT_EQ(ending(played), row.ending);
    EXPECT_EQ(played.step_count(), row.steps);
    EXPECT_EQ(played.num_errors(), 0) << "those of the history don't count";
    if (played.raised()) continue;
    EXPECT_EQ(played.history_size(), 4U);
    EXPECT_EQ(played.records()[0].time_us, 1'000'000'000 - 4'000'000);
    EXPECT_FALSE(played.cost(kAgent).has_value()) << "a history has no costs";
  }
}

TEST(Orchestrator, HistoryIsSeenInParts) {
  fixtures::Episode episode({}, {}, {}, {},
                            task_of(history(R"({"role": "assistant", "content": "and now?"})")));
  Orchestrator& orchestrator = episode.orchestrator();
  orchestrator.start();
  EXPECT_EQ(orchestrator.view(kAgent).size(), 4U);
  EXPECT_EQ(orchestrator.view(kUser).size(), 2U);
  EXPECT_EQ(orchestrator.view(kUser)[1].content, "and now?");
  EXPECT_EQ(orchestrator.speaker(), kUser);
}

TEST(Orchestrator, TimeAndCost) {
  SentMessage priced = said(kUser, "hi");
  priced.cost = 0.25;
  fixtures::Episode episode({}, {}, {.timeout_seconds = 5.0});
  Orchestrator& orchestrator = episode.orchestrator();
  orchestrator.start();
  episode.clock().pass(2);
  orchestrator.accept(priced);
  EXPECT_EQ(orchestrator.cost(kUser), 0.25);
  EXPECT_EQ(orchestrator.cost(kAgent), 0.0) << "the greeting";
  EXPECT_EQ(orchestrator.records()[1].time_us, 1'002'000'000);
  episode.clock().set_wall(5);
  orchestrator.accept(said(kAgent, "yes"));
  EXPECT_EQ(orchestrator.records()[2].time_us, 1'002'000'000)
      << "a clock set back reorders nothing";
  EXPECT_FALSE(orchestrator.cost(kAgent).has_value());
  episode.clock().pass(3);
  orchestrator.accept(said(kUser, "no"));
  EXPECT_EQ(ending(orchestrator), "timeout");
  EXPECT_EQ(orchestrator.seconds(), 5.0);
  episode.clock().pass(3);
  EXPECT_EQ(orchestrator.seconds(), 5.0);
}

TEST(Orchestrator, ResumesFromItsMessages) {
  const Script agent = {
      called(kAgent, {call_of(kAgent, "create_task", {{"user_id", "ada"}, {"title", "Water"}})}),
      called(kAgent, {bad(kAgent)}), said(kAgent, "done")};
  const Script user = {said(kUser, "hi"), called(kUser, {good(kUser)}), said(kUser, "###STOP###")};
  fixtures::Episode whole(agent, user);
  const Orchestrator& expected = whole.play();
  for (std::size_t taken = 0; taken <= expected.trajectory().size(); ++taken) {
    fixtures::Episode episode(agent, user);
    Orchestrator& resumed = episode.orchestrator();
    resumed.start(expected.records()[0].time_us, 4.5);
    EXPECT_EQ(resumed.seconds(), 4.5);
    for (std::size_t i = 1; i < taken; ++i) {
      const world::Message& message = expected.trajectory()[i];
      if (message.role == world::Role::tool) continue;
      SentMessage sent{.message = message};
      sent.time_us = expected.records()[i].time_us;
      resumed.accept(sent);
    }
    EXPECT_FALSE(resumed.advance().has_value());
    EXPECT_EQ(ending(resumed), "user_stop");
    EXPECT_EQ(resumed.trajectory().size(), expected.trajectory().size());
    EXPECT_EQ(resumed.step_count(), expected.step_count());
    EXPECT_EQ(resumed.num_errors(), expected.num_errors());
    EXPECT_EQ(resumed.environment().agent_hash(), expected.environment().agent_hash());
    EXPECT_TRUE(std::ranges::equal(resumed.records(), expected.records()));
  }
}

/// Asks a model everything.
class Asking final : public Participant {
 public:
  explicit Asking(Party party) : party_(party) {}
  [[nodiscard]] world::Outcome<Turn> take_turn(const View& view) const override {
    llm::ChatRequest request;
    request.messages.resize(view.size());
    return request;
  }
  [[nodiscard]] world::Outcome<SentMessage> take_reply(const llm::ChatReply& reply) const override {
    return said(party_, reply.content.value_or(""));
  }

 private:
  Party party_;
};

TEST(Orchestrator, QuestionsAndFaults) {
  const auto world = fixtures::todo_world();
  const world::Task task = fixtures::plain_task();
  const ManualClock clock;
  const Asking agent(kAgent);
  const Asking user(kUser);
  const auto answered = [](std::string text) {
    llm::ChatReply reply;
    reply.content = std::move(text);
    return reply;
  };
  for (const auto& [fault, reason] :
       {std::pair{llm::ChatFault::context_overflow, "context_window_exceeded"},
        std::pair{llm::ChatFault::timed_out, "infrastructure_error"},
        std::pair{llm::ChatFault::undecodable, "infrastructure_error"}}) {
    const auto environment = *world->make_environment();
    Orchestrator orchestrator(*environment, task, {.seed = 7}, agent, user, clock);
    orchestrator.start();
    const auto question = orchestrator.advance();
    ASSERT_TRUE(question.has_value());
    EXPECT_EQ(question->party, kUser);
    EXPECT_EQ(question->request.seed, 7U);
    EXPECT_EQ(question->request.messages.size(), 1U);
    EXPECT_EQ(orchestrator.advance()->party, kUser) << "asks again";
    orchestrator.answer(answered("hi"));
    EXPECT_EQ(orchestrator.advance()->party, kAgent);
    orchestrator.answer(tl::unexpected(llm::ChatError{.fault = fault}));
    EXPECT_EQ(ending(orchestrator), reason);
    EXPECT_EQ(orchestrator.fault()->fault, fault);
    EXPECT_EQ(orchestrator.trajectory().size(), 2U) << "nothing of it is lost";
  }
}

TEST(Orchestrator, Misuse) {
  fixtures::Episode episode({}, {});
  Orchestrator& orchestrator = episode.orchestrator();
  EXPECT_THROW(orchestrator.accept(said(kUser, "hi")), BugError);
  orchestrator.start();
  EXPECT_THROW(orchestrator.start(), BugError);
  EXPECT_THROW(orchestrator.accept(said(kAgent, "hi")), BugError) << "it's the user's turn";
  EXPECT_THROW(orchestrator.answer(llm::ChatReply{}), BugError) << "nothing was asked";
  orchestrator.abandon(Termination::infrastructure_error);
  EXPECT_EQ(ending(orchestrator), "infrastructure_error");
  EXPECT_FALSE(orchestrator.speaker().has_value());
}

}  // namespace
}  // namespace unmask::play
