#pragma once

#include <span>
#include <string>
#include <vector>

#include "unmask/world/evaluate.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::world {

// The parts of an evaluation. Each fills its own fields of RewardInfo and leaves the rest absent;
// `reward_basis` is left to the caller.

/// Databases and assertions: the trajectory is replayed in one environment, the golden actions are
/// executed in another.
[[nodiscard]] Outcome<RewardInfo> evaluate_env(const World& world, const Task& task,
                                               const EvaluationCriteria& criteria,
                                               const Trajectory& trajectory, bool strict);

[[nodiscard]] RewardInfo evaluate_actions(const World& world, const EvaluationCriteria& criteria,
                                          std::span<const Message> messages);

[[nodiscard]] RewardInfo evaluate_communication(const EvaluationCriteria& criteria,
                                                std::span<const Message> messages);

/// Without a judge the reward is absent unless there is nothing to judge.
[[nodiscard]] Outcome<RewardInfo> evaluate_nl(const EvaluationCriteria& criteria,
                                              std::span<const Message> messages,
                                              const Judge& judge);

/// `{"note": text}`.
[[nodiscard]] Value note(std::string text);

}  // namespace unmask::world
