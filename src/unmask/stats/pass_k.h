#pragma once

#include <cstdint>
#include <span>

#include "unmask/stats/figure.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {

/// pass^k: chance that k trials of a task all succeed, C(s,k)/C(m,k), mean over tasks with m >= k.
/// numerator s, denominator m, whole numbers with s <= m; k >= 1. SE = SD over those tasks /
/// sqrt(their number); Wilson interval as for the score, which pass^1 equals. `tasks` of the result
/// counts the tasks with m >= k. Yao et al. 2024 (tau-bench); STATISTICS, "Score".
[[nodiscard]] Estimate pass_hat_k(std::span<const TaskTotal> tasks, std::int64_t k);

}  // namespace unmask::stats
