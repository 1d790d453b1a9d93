#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "unmask/episode/channel.h"

namespace unmask::world::generated {

/// Called as tasks are made, with how many of `total` are; false stops the work.
using TaskProgress = std::function<bool(std::uint32_t done, std::uint32_t total)>;

/// An argument of a call that a task names.
struct DraftArgument {
  std::string name;
  std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>> value;

  bool operator==(const DraftArgument&) const = default;
};

/// A call of a tool, an initialisation function or an assertion.
struct DraftCall {
  Party party = Party::agent;
  std::string name;
  std::vector<DraftArgument> arguments;

  bool operator==(const DraftCall&) const = default;
};

/// What decides the reward of a task.
enum class RewardPart : std::uint8_t { database, assertions, actions, communication };

/// A task before it is written.
struct TaskDraft {
  std::string id;
  std::string purpose;
  std::optional<std::string> persona;
  std::string reason_for_call;
  std::string known_info;
  std::optional<std::string> unknown_info;
  std::string task_instructions;
  std::optional<std::string> ticket;     ///< for an agent without a user
  std::vector<DraftCall> initial;        ///< functions that bring the world into its first state
  std::vector<DraftCall> actions;        ///< golden: executing them in order solves the task
  bool actions_by_name = false;          ///< an action counts whatever its arguments
  std::vector<DraftCall> assertions;     ///< must all hold at the end
  std::vector<std::string> communicate;  ///< texts that the agent must say
  std::vector<RewardPart> reward;
  std::string facts;  ///< for a scripted user: members of a JSON object, `"name":"Ada"`

  bool operator==(const TaskDraft&) const = default;
};

/// tau2-bench's `tasks.json`: a list of tasks. The key `unmask`, which tau2-bench passes over,
/// holds the facts and `difficulty`. `domain` is tau2-bench's name.
[[nodiscard]] std::string tasks_json(const std::vector<TaskDraft>& tasks, std::string_view domain,
                                     std::string_view difficulty);

/// The arguments as a JSON object.
[[nodiscard]] std::string arguments_json(const std::vector<DraftArgument>& arguments);

/// A call as text that no other call has.
[[nodiscard]] std::string call_text(const DraftCall& call);

}  // namespace unmask::world::generated
