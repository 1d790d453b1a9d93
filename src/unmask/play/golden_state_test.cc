// States of a perfect run, and what an agent's first call is there.
#include "unmask/play/golden_state.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/clock.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/first_call.h"
#include "unmask/play/facts_user.h"
#include "unmask/play/oracle.h"
#include "unmask/play/play_fixtures.h"
#include "unmask/world/message.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"

namespace unmask::play {
namespace {

using fixtures::call_of;
using fixtures::called;
using fixtures::said;

/// Look who is there, let the user look at the phone, make a task.
world::Task three_steps() {
  return fixtures::task_of(R"({"id": "t", "user_scenario": {"instructions": "You are Ada."},
    "evaluation_criteria": {"actions": [
      {"action_id": "a", "name": "get_users", "arguments": {}},
      {"action_id": "b", "requestor": "user", "name": "check_notifications", "arguments": {}},
      {"action_id": "c", "name": "create_task", "arguments": {"user_id": "ada", "title": "Water"},
       "compare_args": ["user_id"]}]}})");
}

class GoldenStates : public ::testing::Test {
 protected:
  std::unique_ptr<GoldenState> after(std::size_t actions, bool solo = false) {
    auto state = GoldenState::after(*world_, task_, actions, solo, &steps_, clock_);
    EXPECT_TRUE(state.has_value());
    return std::move(*state);
  }

  std::shared_ptr<const world::World> world_ = fixtures::todo_world();
  world::Task task_ = three_steps();
  StepFinder steps_{*world_->setup().user};
  ManualClock clock_{1'000'000'000};
};

TEST_F(GoldenStates, HoldWhatAPerfectAgentHasSeen) {
  const auto first = after(0);
  ASSERT_TRUE(first->is_reached());
  EXPECT_EQ(first->view().size(), 2U) << "greeting and opening";
  EXPECT_EQ(first->view()[1].content, "Hello. I am Ada.");
  EXPECT_EQ(first->due().name, "get_users");
  const auto second = after(1);
  EXPECT_EQ(second->view().size(), 4U);
  EXPECT_EQ(second->view()[2].tool_calls->front().name, "get_users");
  EXPECT_EQ(second->view()[3].role, world::Role::tool);
  EXPECT_EQ(second->due_party(), Party::user);
  const auto third = after(2);
  ASSERT_TRUE(third->is_reached());
  EXPECT_EQ(third->view().size(), 6U) << "the user's own call is not the agent's to see";
  EXPECT_EQ(third->view()[4].content, step_request(second->due()));
  EXPECT_EQ(third->view()[5].role, world::Role::user);
  EXPECT_EQ(third->view().own_turns(), 2U);
}

TEST_F(GoldenStates, AreCounted) {
  const auto count = [&](const world::Task& task, bool solo) {
    return *count_golden_states(*world_, task, solo, &steps_);
  };
  EXPECT_EQ(count(task_, false), 3U);
  EXPECT_EQ(count(task_, true), 3U);
  EXPECT_EQ(count(fixtures::plain_task(), false), 0U);
  // A step that the user does not find leads to no state after it.
  world::Task broken = task_;
  broken.user_scenario.instructions = world::Value("You want nothing. ###STOP###");
  EXPECT_EQ(count(broken, false), 0U) << "the user's first words end the episode";
}

TEST_F(GoldenStates, JudgeTheFirstCall) {
  const world::Object right = {{"user_id", "ada"}, {"title", "Water"}};
  const world::Object other_title = {{"user_id", "ada"}, {"title", "Wash"}};
  const world::Object other_user = {{"user_id", "bea"}, {"title", "Water"}};
  world::ToolCall unreadable = call_of(Party::agent, "create_task");
  unreadable.unreadable_arguments = "{\"user_id\": ";
  const auto calls = [](std::vector<world::ToolCall> made) {
    return called(Party::agent, std::move(made)).message;
  };
  const auto create = [](const world::Object& arguments) {
    return call_of(Party::agent, "create_task", arguments);
  };
  struct Case {
    std::string name;
    std::size_t actions;
    world::Message message;
    FirstCall expected;
  };
  const std::vector<Case> cases = {
      {"golden", 2, calls({create(right)}), FirstCall::right},
      {"an argument that is not compared", 2, calls({create(other_title)}), FirstCall::right},
      {"another user", 2, calls({create(other_user)}), FirstCall::wrong_arguments},
      {"the first of two", 2, calls({create(right), create(other_user)}), FirstCall::right},
      {"the right one second", 2, calls({fixtures::good(Party::agent), create(right)}),
       FirstCall::other_tool},
      {"offered", 2, calls({fixtures::good(Party::agent)}), FirstCall::other_tool},
      {"nobody's", 2, calls({fixtures::bad(Party::agent)}), FirstCall::unknown_tool},
      {"the user's", 2, calls({call_of(Party::agent, "check_notifications")}),
       FirstCall::unknown_tool},
      {"unreadable", 2, calls({unreadable}), FirstCall::malformed},
      {"words", 2, said(Party::agent, "Which task?").message, FirstCall::no_call},
      {"nothing", 2, said(Party::agent, "").message, FirstCall::no_call},
      {"no calls in a list", 2, calls({}), FirstCall::no_call},
      {"asked for", 1, said(Party::agent, "Please look.").message, FirstCall::right},
      {"not asked for", 1, said(Party::agent, " ").message, FirstCall::no_call},
      {"the user's step taken", 1, calls({call_of(Party::agent, "check_notifications")}),
       FirstCall::unknown_tool},
      {"a look of its own", 1, calls({fixtures::good(Party::agent)}), FirstCall::other_tool},
      {"no arguments to compare", 0, calls({fixtures::good(Party::agent)}), FirstCall::right},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(name_of(after(each.actions)->judge(each.message)), name_of(each.expected))
        << each.name;
  }
  // Alone, the agent has the user's tools.
  EXPECT_EQ(after(1, true)->judge(calls({call_of(Party::agent, "check_notifications")})),
            FirstCall::right);
  EXPECT_EQ(after(1, true)->judge(said(Party::agent, "Please look.").message), FirstCall::no_call);
}

TEST_F(GoldenStates, ExecuteTheCall) {
  const auto state = after(2);
  const std::size_t before = state->orchestrator().trajectory().size();
  state->accept(called(Party::agent, {fixtures::bad(Party::agent)}));
  ASSERT_EQ(state->orchestrator().trajectory().size(), before + 2);
  EXPECT_TRUE(state->orchestrator().trajectory().back().error);
}

TEST(FirstCall, HasNames) {
  for (const FirstCall call : kFirstCalls) EXPECT_EQ(first_call_from_name(name_of(call)), call);
  EXPECT_EQ(first_call_from_name("wrong"), std::nullopt);
}

}  // namespace
}  // namespace unmask::play
