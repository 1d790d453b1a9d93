#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::world {

/// Which parts an evaluation computes: one alone, or those that the task's reward basis names
/// (`all`), or all of them whatever it names (`..._ignore_basis`). `..._with_nl_assertions`
/// computes the judged part even where the basis doesn't name it.
enum class EvaluationType : std::uint8_t {
  env,
  action,
  communicate,
  nl_assertions,
  all,
  all_with_nl_assertions,
  all_ignore_basis,
  all_with_nl_assertions_ignore_basis,
};

/// tau2-bench's names: `env`, `all_ignore_basis` and so on.
[[nodiscard]] std::optional<EvaluationType> evaluation_type_of(std::string_view name);

/// What there is to judge of an episode.
struct Trajectory {
  std::span<const Message> messages;
  std::string_view termination_reason;  ///< tau2-bench's word, such as `user_stop`
  bool solo = false;
};

/// Judges assertions in natural language by the messages: one check for each, in order.
using Judge = std::function<Outcome<std::vector<NlCheck>>(std::span<const std::string> assertions,
                                                          std::span<const Message> messages)>;

struct EvaluationOptions {
  EvaluationType type = EvaluationType::all;
  bool strict = true;  ///< a replayed write whose result differs from the record raises
  Judge judge;         ///< without one, judged parts are not evaluated, never passed
};

/// The reward of an episode as tau2-bench's evaluator computes it: 0 for an episode that was cut
/// off; otherwise the product of the parts. Raises what the original raises, in which case there is
/// no reward: a message list out of order, a replayed write whose result differs, an assertion that
/// fails to run.
[[nodiscard]] Outcome<RewardInfo> evaluate(const World& world, const Task& task,
                                           const Trajectory& trajectory,
                                           const EvaluationOptions& options = {});

/// Whether a call matches a golden action: same name, and equal values of the compared arguments,
/// which are the call's own where the action doesn't name them.
[[nodiscard]] bool matches(const GoldenAction& action, const ToolCall& call);

}  // namespace unmask::world
