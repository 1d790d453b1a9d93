#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/world/message.h"
#include "unmask/world/value.h"

namespace unmask::world {

/// A call of an environment's method by a task.
struct FunctionCall {
  Party party = Party::agent;  ///< whose toolkit (`env_type`)
  std::string name;            ///< `func_name`
  Object arguments;
};

/// A function that must return `expected` at the end of an episode.
struct Assertion {
  FunctionCall function;
  bool expected = true;  ///< `assert_value`
  std::optional<std::string> message;
};

/// Databases that a task merges into the initial ones; null where absent.
struct InitializationData {
  Value agent_data;
  Value user_data;
};

/// A step of a task's initialisation: a function, or an assertion that must hold.
struct InitialAction {
  FunctionCall function;
  bool is_assertion = false;
  bool expected = true;
  std::optional<std::string> message;
};

struct InitialState {
  std::optional<InitializationData> data;
  std::vector<InitialAction> actions;
  std::vector<Message> message_history;
};

/// An action that a perfect run contains.
struct GoldenAction {
  std::string id;
  Party requestor = Party::agent;
  std::string name;
  Object arguments;
  std::optional<std::string> info;
  /// The arguments that must agree; nullopt = those that the call has.
  std::optional<std::vector<std::string>> compare_args;
};

/// The parts of a reward, in the order in which tau2-bench's breakdown lists them.
enum class RewardPart : std::uint8_t { db, env_assertion, action, nl_assertion, communicate };

/// `DB`, `ENV_ASSERTION`, `ACTION`, `NL_ASSERTION`, `COMMUNICATE`.
[[nodiscard]] std::string_view name_of(RewardPart part);
[[nodiscard]] std::optional<RewardPart> reward_part_of(std::string_view name);

/// How an episode of a task is judged. nullopt is the original's null, which differs from an empty
/// list.
struct EvaluationCriteria {
  std::optional<std::vector<GoldenAction>> actions;
  std::optional<std::vector<Assertion>> env_assertions;
  std::optional<std::vector<std::string>> communicate_info;
  std::optional<std::vector<std::string>> nl_assertions;
  /// As the task lists it; the original's default where it says nothing.
  std::vector<RewardPart> reward_basis = {RewardPart::db, RewardPart::communicate};
};

/// What the user wants, for the party that plays the user.
struct UserScenario {
  std::optional<std::string> persona;
  /// A text, or the members of tau2-bench's structured instructions (`domain`, `reason_for_call`,
  /// `known_info`, `unknown_info`, `task_instructions`).
  Value instructions;
};

struct Task {
  std::string id;
  Value description;  ///< `purpose` and notes; null if absent
  UserScenario user_scenario;
  std::optional<std::string> ticket;  ///< what the agent is told in solo mode
  std::optional<InitialState> initial_state;
  std::optional<EvaluationCriteria> evaluation_criteria;
  /// The names of the user's tools that the user is offered; nullopt: all of them.
  std::optional<std::vector<std::string>> user_tools;
  /// The key `unmask` of own tasks: `difficulty`, and `facts` for a scripted user; null elsewhere.
  Value own;
};

/// A named selection of tasks.
struct Split {
  std::string name;
  std::vector<std::string> task_ids;
};

/// Reads one task as tau2-bench writes it; `place` begins the errors. Errors as read_tasks.
[[nodiscard]] Result<Task> read_task(const Value& value, const std::string& place);

/// Reads tau2-bench's task list, a JSON text; unknown keys are tolerated. `file` begins the errors.
/// Errors: bad_input, with file and place (`tasks.json: [3].evaluation_criteria.actions[0].name`),
/// for what is no JSON, has no id, or another kind of value than the format says; two tasks of one
/// id.
[[nodiscard]] Result<std::vector<Task>> read_tasks(std::string_view json, std::string_view file);

/// Reads a file of splits: an object of lists of task ids. Errors as read_tasks.
[[nodiscard]] Result<std::vector<Split>> read_splits(std::string_view json, std::string_view file);

}  // namespace unmask::world
