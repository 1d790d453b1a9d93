#pragma once

#include <span>
#include <vector>

#include "unmask/stats/figure.h"
#include "unmask/stats/sign_flip.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {

/// A mean paired difference of fractions: gap, widening, area.
struct PairedDifference {
  Estimate estimate;  ///< mean of d_i = reference - arm: positive = the arm is worse; t interval
  FlipTest test;      ///< sign-flip p of estimate = 0

  bool operator==(const PairedDifference&) const = default;
};

/// d_i = reference_i - arm_i, each numerator/denominator with whole numbers and denominator >= 1.
/// Gap D(K): numerators are the trials with y = 1 and E < K. Widening W(K): numerators are those at
/// K less those at K_obs (may be negative). Area: numerators summed over K, denominators times
/// K_obs. SE = SD(d_i)/sqrt(n). The interval is null without spread (SE below 1e-12); the p is not.
/// STATISTICS, "Differences of two arms of a cell".
[[nodiscard]] PairedDifference paired_difference(std::span<const TaskPair> tasks,
                                                 const Resampling& random = {});

/// The d_i themselves, for equivalence().
[[nodiscard]] std::vector<double> differences(std::span<const TaskPair> tasks);

}  // namespace unmask::stats
