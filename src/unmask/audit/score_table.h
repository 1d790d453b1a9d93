#pragma once

#include <optional>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/task_table.h"
#include "unmask/budget/success_curve.h"
#include "unmask/stats/task_total.h"

namespace unmask {

/// S(K) of an arm for K = 1 .. K_obs (an uncensored log: .. settings.shown_budget) with intervals,
/// the band of unknown episodes, and the bounds with vanished trials failed and passed.
[[nodiscard]] std::vector<ScorePoint> score_points(const ArmFacts& arm,
                                                   const AuditSettings& settings);

/// pass^k, k = 1 .. most trials of a task, at each budget 1 .. K_obs.
[[nodiscard]] std::vector<PassPowers> pass_powers(const ArmFacts& arm,
                                                  const AuditSettings& settings);

/// Trials and successes at `budget` of every task of `arm` (index into ArmFacts::tasks; a task
/// without observed episodes has 0 / 0).
[[nodiscard]] std::vector<stats::TaskTotal> solved_by_task(const ArmFacts& arm,
                                                           const SuccessCurve& curve, int budget,
                                                           BandEnd end);

}  // namespace unmask
