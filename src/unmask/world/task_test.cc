#include "unmask/world/task.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"

namespace unmask::world {
namespace {

TEST(ReadTasks, ReadsAllThatATaskMayHold) {
  const Result<std::vector<Task>> tasks = read_tasks(R"([
    {"id": "t1", "description": {"purpose": "try"}, "future": 1,
     "user_scenario": {"persona": "curt", "instructions": {"known_info": "a name"}},
     "ticket": "Fix it.",
     "initial_state": {
       "initialization_data": {"agent_data": {"n": 1}, "user_data": null},
       "initialization_actions": [
         {"env_type": "user", "func_name": "unplug", "arguments": {"cable": 2}},
         {"env_type": "assistant", "func_name": "is_off", "arguments": {}, "assert_value": false,
          "message": "still on"}],
       "message_history": [
         {"role": "user", "content": "Hello."},
         {"role": "assistant", "content": null,
          "tool_calls": [{"id": "c1", "name": "look", "arguments": {"x": 1.0}}]},
         {"role": "tool", "tool_messages": [{"role": "tool", "id": "c1", "content": "seen",
          "requestor": "user", "error": true}]}]},
     "evaluation_criteria": {
       "actions": [{"action_id": "a", "name": "look", "arguments": {}, "compare_args": []},
                   {"action_id": "b", "name": "act", "arguments": {"y": [1]}, "info": "why",
                    "requestor": "user", "compare_args": ["y"]}],
       "env_assertions": [{"env_type": "assistant", "func_name": "is_on", "arguments": {}}],
       "communicate_info": ["42"], "nl_assertions": [],
       "reward_basis": ["ENV_ASSERTION", "DB"]}},
    {"id": "t2", "user_scenario": {"instructions": "Say hello."}, "evaluation_criteria": {}}])",
                                                     "tasks.json");
  ASSERT_TRUE(tasks.has_value()) << tasks.error().message;
  const Task& task = tasks->at(0);
  EXPECT_EQ(task.user_scenario.persona, "curt");
  EXPECT_EQ(task.ticket, "Fix it.");
  const InitialState& state = task.initial_state.value();
  EXPECT_EQ(dump_json(state.data.value().agent_data), R"({"n": 1})");
  EXPECT_TRUE(state.data->user_data.is_null());
  ASSERT_EQ(state.actions.size(), 2U);
  EXPECT_EQ(state.actions[0].function.party, Party::user);
  EXPECT_FALSE(state.actions[0].is_assertion);
  EXPECT_TRUE(state.actions[1].is_assertion);
  EXPECT_FALSE(state.actions[1].expected);
  EXPECT_EQ(state.actions[1].message, "still on");
  ASSERT_EQ(state.message_history.size(), 3U);
  EXPECT_FALSE(state.message_history[0].tool_calls.has_value());
  EXPECT_EQ(state.message_history[1].tool_calls.value().at(0).requestor, Party::agent);
  EXPECT_EQ(state.message_history[2].requestor, Party::user);
  EXPECT_TRUE(state.message_history[2].error);
  const EvaluationCriteria& criteria = task.evaluation_criteria.value();
  EXPECT_EQ(criteria.actions.value().at(0).compare_args, std::vector<std::string>{});
  EXPECT_EQ(criteria.actions->at(1).requestor, Party::user);
  EXPECT_EQ(criteria.env_assertions.value().at(0).function.name, "is_on");
  EXPECT_TRUE(criteria.env_assertions->at(0).expected);
  EXPECT_EQ(criteria.nl_assertions, std::vector<std::string>{});
  EXPECT_EQ(criteria.reward_basis,
            (std::vector<RewardPart>{RewardPart::env_assertion, RewardPart::db}));

  const EvaluationCriteria& bare = tasks->at(1).evaluation_criteria.value();
  EXPECT_FALSE(bare.actions.has_value());
  EXPECT_EQ(bare.reward_basis, (std::vector<RewardPart>{RewardPart::db, RewardPart::communicate}));
}

TEST(ReadTasks, FaultsNameFileAndPlace) {
  const struct {
    std::string_view json;
    std::string_view message;
  } cases[] = {
      {"{}", "t.json: a list of tasks is due here"},
      {"[", "t.json: line 1, column 2: the text ends where a value is due"},
      {"[1]", "t.json: [0]: an object is due here"},
      {R"([{"ticket": "x"}])", "t.json: [0].id: a text is due here"},
      {R"([{"id": "a"}, {"id": "a"}])", "t.json: [1]: a second task with the id `a`"},
      {R"([{"id": "a", "evaluation_criteria": {"actions": [{"action_id": "1", "name": 2}]}}])",
       "t.json: [0].evaluation_criteria.actions[0].name: a text is due here"},
      {R"([{"id": "a", "evaluation_criteria": {"reward_basis": ["LUCK"]}}])",
       "t.json: [0].evaluation_criteria.reward_basis[0]: `LUCK` is no part of a reward (DB, "
       "ENV_ASSERTION, ACTION, NL_ASSERTION, COMMUNICATE)"},
      {R"([{"id": "a", "evaluation_criteria": {"env_assertions": [{"func_name": "f"}]}}])",
       "t.json: [0].evaluation_criteria.env_assertions[0].env_type: a text is due here"},
      {R"([{"id": "a", "initial_state": {"initialization_actions":
            [{"env_type": "robot", "func_name": "f"}]}}])",
       "t.json: [0].initial_state.initialization_actions[0].env_type: `assistant` or `user` is due "
       "here"},
      {R"([{"id": "a", "initial_state": {"message_history": [{"role": "tool"}]}}])",
       "t.json: [0].initial_state.message_history[0].id: a text is due here"},
      {R"([{"id": "a", "initial_state": {"message_history": [{"role": "assistant",
            "tool_calls": [{"name": "f", "arguments": []}]}]}}])",
       "t.json: [0].initial_state.message_history[0].tool_calls[0].arguments: an object is due "
       "here"},
      {R"([{"id": "a", "user_scenario": {"persona": 1}}])",
       "t.json: [0].user_scenario.persona: a text is due here"},
  };
  for (const auto& example : cases) {
    const Result<std::vector<Task>> tasks = read_tasks(example.json, "t.json");
    ASSERT_FALSE(tasks.has_value()) << example.json;
    EXPECT_EQ(tasks.error().message, example.message);
  }
}

TEST(ReadSplits, ReadsListsOfIds) {
  const Result<std::vector<Split>> splits = read_splits(R"({"base": ["1"], "none": []})", "s.json");
  ASSERT_TRUE(splits.has_value());
  EXPECT_EQ(splits->at(0).name, "base");
  EXPECT_EQ(splits->at(0).task_ids, std::vector<std::string>{"1"});
  EXPECT_EQ(read_splits(R"({"base": [1]})", "s.json").error().message,
            "s.json: base[0]: a text is due here");
  EXPECT_EQ(read_splits("[]", "s.json").error().message, "s.json: an object is due here");
}

}  // namespace
}  // namespace unmask::world
