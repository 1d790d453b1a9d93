#include "unmask/play/vector_check.h"

#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/play/play_fixtures.h"
#include "unmask/world/value.h"
#include "unmask/world/vector_check.h"

namespace unmask::play {
namespace {

using testing::HasSubstr;
using world::Value;

constexpr std::string_view kRun = R"({"id": "v", "domain": "mock", "solo_mode": false,
  "task": {"id": "t", "user_scenario": {"instructions": "x"},
    "evaluation_criteria": {"actions": [{"action_id": "a", "name": "get_users", "arguments": {}}],
                            "nl_assertions": ["kind"], "reward_basis": ["ACTION", "NL_ASSERTION"]}},
  "max_steps": 10, "max_errors": 2, "validate_communication": false,
  "nl_judge_response": "{\"results\": [{\"expectedOutcome\": \"kind\", \"reasoning\": \"r\", \"metExpectation\": true}]}",
  "agent_script": [{"content": null, "cost": 0.5, "tool_calls": [
                     {"id": "1", "name": "get_users", "arguments": {}},
                     {"id": "2", "name": "no", "arguments": {}, "requestor": "user"}]},
                   {"content": "so", "cost": 0.25}],
  "user_script": [{"content": "hi"}, {"content": "###STOP###"}],
  "expected": {"raises": null, "termination_reason": "user_stop", "num_errors": 1, "step_count": 5,
    "messages": [
      {"role": "assistant", "content": "Hi! How can I help you today?", "tool_calls": null},
      {"role": "user", "content": "hi", "tool_calls": null},
      {"role": "assistant", "content": null, "tool_calls": [
        {"id": "1", "name": "get_users", "arguments": {}, "requestor": "assistant"},
        {"id": "2", "name": "no", "arguments": {}, "requestor": "user"}]},
      {"role": "tool", "id": "1", "content": "[{\"user_id\": \"ada\", \"name\": \"Ada\", \"tasks\": []}]",
       "requestor": "assistant", "error": false},
      {"role": "tool", "id": "2", "content": "Error: Tool 'no' not found.", "requestor": "user", "error": true},
      {"role": "assistant", "content": "so", "tool_calls": null},
      {"role": "user", "content": "###STOP###", "tool_calls": null}],
    "agent_cost": 0.75, "user_cost": null, "agent_consumed": 2, "user_consumed": 2, "reward": 1.0,
    "reward_breakdown": {"ACTION": 1.0, "NL_ASSERTION": 1.0}, "reward_basis": ["ACTION", "NL_ASSERTION"],
    "db_match": true, "env_assertions_met": [], "action_matches": [["a", true, "read"]],
    "communicate_met": null, "nl_met": [true], "reward_note": null, "evaluation_raises": null}})";

/// kRun with some of its text replaced.
Value run_with(std::string_view from, std::string_view to) {
  std::string json(kRun);
  if (!from.empty()) json.replace(json.find(from), from.size(), to);
  const auto parsed = world::parse_json(json);
  EXPECT_TRUE(parsed.has_value()) << json;
  return *parsed;
}

/// The place of the first difference; `equal` if there is none; the error if it can't be checked.
std::string first_difference(const Value& line) {
  const auto check = check_any_vector(*fixtures::todo_world(), line, "line 1");
  if (!check) return check.error().message;
  return check->differences.empty() ? "equal" : check->differences.front().place;
}

TEST(RunVector, ComparesWhatItRecords) {
  EXPECT_EQ(first_difference(run_with("", "")), "equal");
  struct Row {
    std::string_view from;
    std::string_view to;
    std::string_view place;
  };
  for (const auto& [from, to, place] :
       {Row{R"("num_errors": 1)", R"("num_errors": 2)", "num_errors"},
        Row{R"("step_count": 5)", R"("step_count": 6)", "step_count"},
        Row{R"("termination_reason": "user_stop")", R"("termination_reason": "agent_stop")",
            "termination_reason"},
        Row{R"("agent_cost": 0.75)", R"("agent_cost": 0.5)", "agent_cost"},
        Row{R"("raises": null)", R"("raises": {"type": "ValueError", "message": "x"})", "raises"},
        Row{R"("evaluation_raises": null)",
            R"("evaluation_raises": {"type": "KeyError", "message": "x"})", "evaluation_raises"},
        Row{"Error: Tool 'no' not found.", "Error: no.", "messages[4]"},
        Row{R"("nl_met": [true])", R"("nl_met": [false])", "nl_met"},
        Row{R"("db_match": true)", R"("db_match": false)", "db_match"},
        Row{R"("agent_consumed": 2)", R"("agent_consumed": 1)", "agent_consumed"},
        Row{R"("max_errors": 2)", R"("max_errors": 1)", "termination_reason"},
        Row{R"("nl_judge_response")", R"("other")", "reward"}}) {
    EXPECT_EQ(first_difference(run_with(from, to)), place);
  }
}

TEST(RunVector, Faults) {
  EXPECT_THAT(first_difference(run_with(R"("max_steps": 10)", R"("max_steps": 1.5)")),
              HasSubstr("line 1: max_steps: a count is due here"));
  EXPECT_THAT(first_difference(run_with(R"("task")", R"("task_id": "x", "own")")),
              HasSubstr("has no task of this id"));
  EXPECT_THAT(first_difference(run_with(R"("user_script": [)", R"("user_script": [3, )")),
              HasSubstr("user_script[0]"));
  EXPECT_THAT(first_difference(run_with(R"({"id": "1", "name": "get_users")", R"({"id": "1")")),
              HasSubstr("tool_calls[0].name"));
  EXPECT_THAT(first_difference(
                  run_with(R"("max_steps": 10)", R"("max_steps": 10, "evaluation_type": "x")")),
              HasSubstr("no evaluation type"));
  EXPECT_THAT(first_difference(Value(world::Object{})), HasSubstr("this is no vector"));
}

TEST(CounterfactualVector, ComparesEveryBudget) {
  const auto line = [](std::string_view success, std::string_view keys = R"("1")") {
    std::string json = R"({"sim": "v", "K": 2, "success_at": {)" + std::string(keys) +
                       R"(: false, "2": )" + std::string(success) + R"(},
        "termination_at": {"1": "too_many_errors", "2": "user_stop"},
        "num_errors_at": {"1": 1, "2": 1}, "num_messages_at": {"1": 5, "2": 7},
        "evaluation_raises_at": {"1": null, "2": null}, "vector": )" +
                       std::string(kRun) + "}";
    return *world::parse_json(json);
  };
  EXPECT_EQ(domain_of_vector(line("true")), "mock");
  EXPECT_EQ(first_difference(line("true")), "equal");
  EXPECT_EQ(first_difference(line("false")), "success_at 2");
  EXPECT_THAT(first_difference(line("true", R"("one")")), HasSubstr("an error budget is due"));
}

}  // namespace
}  // namespace unmask::play
