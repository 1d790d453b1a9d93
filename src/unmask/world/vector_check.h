#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::world {

/// Where an answer differs from the one that a vector records.
struct VectorDifference {
  std::string place;     ///< within the vector, such as `calls[3] get_order_details: content`
  std::string expected;  ///< as the vector has it
  std::string found;     ///< as this world answers

  bool operator==(const VectorDifference&) const = default;
};

/// What became of one vector.
struct VectorCheck {
  std::string id;
  std::size_t calls = 0;                      ///< executed
  std::size_t compared = 0;                   ///< answers, hashes and values compared
  std::vector<VectorDifference> differences;  ///< empty: equal
};

/// Whether a line is a vector of calls (`calls` and `results`), as docs/worlds.md describes them.
[[nodiscard]] bool is_call_vector(const Value& line);

/// Executes a vector of calls in a fresh environment and compares everything that it records:
///   `task_id`, `solo_mode`       the initial state
///   `init_actions`, `init_results`  functions run before the calls, `{value}` or `{error}` of each
///   `calls`, `results`           `{name, arguments, requestor}`, `{content, error}`
///   `db_hash_after_each`, `trace`  hashes after each call; a trace has the hashes' first digits
///   `db_hash_after` or `agent_db_hash_after`, `user_db_hash_after`
///   `assertions`                 functions run at the end, each with its `value` or `error`
/// `place` begins the errors' places. Errors: bad_input for a line that is no such vector or names
/// a task that `world` lacks.
[[nodiscard]] Result<VectorCheck> check_calls(const World& world, const Value& line,
                                              std::string_view place);

/// Whether a line is a vector of an evaluated episode (`messages` and `reward_info`).
[[nodiscard]] bool is_episode_vector(const Value& line);

/// Evaluates an episode and compares everything that its vector records:
///   `task_id`, `solo_mode`, `messages`, `termination_reason`   the episode
///   `evaluation_type`, `reward_basis`   how it is evaluated; the task's own basis if null
///   `reward_info`, and `evaluation_error` or `error`   the reward, or what was raised instead
///   `official`   the same for the unchanged task
///   `live_agent_db_hash`, `live_user_db_hash`   the state after all its calls
/// `place` and errors as check_calls.
[[nodiscard]] Result<VectorCheck> check_episode(const World& world, const Value& line,
                                                std::string_view place);

/// The error for a line that is neither.
[[nodiscard]] tl::unexpected<Error> no_vector(std::string_view place);

/// Either check, by the line's fields. Errors: bad_input for a line that is neither.
[[nodiscard]] Result<VectorCheck> check_vector(const World& world, const Value& line,
                                               std::string_view place);

}  // namespace unmask::world
