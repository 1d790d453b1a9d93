#pragma once

#include <span>

#include "unmask/stats/figure.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {

/// S(K): mean over tasks of s_i/m_i, numerator s_i = trials with y = 1 and E < K, denominator m_i =
/// trials of the task (>= 1, else a bug). SE = SD over tasks / sqrt(n); Wilson interval at n_eff,
/// t_{n-1} for z. A fraction, 0..1. Tasks weigh equally; the episode mean that
/// benchmarks print is rate(tasks, IntervalKind::wilson). STATISTICS, "Score".
[[nodiscard]] Estimate score(std::span<const TaskTotal> tasks);

/// Plain mean over tasks of numerator/denominator (both any sign for the numerator), t interval.
[[nodiscard]] Estimate task_mean(std::span<const TaskTotal> tasks);

}  // namespace unmask::stats
