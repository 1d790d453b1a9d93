#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "unmask/stats/resampling.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {

/// Outcome of a two-sided sign-flip test.
struct FlipTest {
  std::optional<double> p;  ///< in (0, 1]
  bool exact = false;       ///< all sign vectors were counted, none drawn
  std::size_t nonzero = 0;  ///< tasks with d_i != 0
  std::string reason;       ///< why p is empty

  bool operator==(const FlipTest&) const = default;
};

/// Up to this many non-zero differences the rates' test counts all sign vectors.
inline constexpr std::size_t kExactRateFlips = 20;

/// Share of the 2^n sign vectors with |sum s_i x_i| >= |sum x_i|, by convolution over subset sums;
/// identity included. p = 1 for no or only zero values. Exact up to rounding (relative 1e-13).
/// Cost: n times sum |x_i| / gcd / 2 at most. STATISTICS, "P-values, scores and widening".
[[nodiscard]] double exact_flip_p(std::span<const std::int64_t> values);

/// p = (1 + #)/(1 + B) over B random sign vectors of the non-zero values (ties are exact).
[[nodiscard]] double random_flip_p(std::span<const std::int64_t> values, const Resampling& random);

/// Test of the mean of d_i = reference_i - arm_i, each a fraction of whole numbers: on the integers
/// l d_i, l the least common multiple of the denominators (all >= 1); by convolution, or by random
/// sign vectors if l > 10^4 (or the convolution would need more than 10^9 steps). Null if l
/// overflows.
[[nodiscard]] FlipTest score_flip_test(std::span<const TaskPair> tasks,
                                       const Resampling& random = {});

/// Test of equal rates (score version): d_i = (A_arm,i - R_p B_arm,i) - (A_ref,i - R_p B_ref,i),
/// R_p the pooled rate, on the integers A_i sum B - B_i sum A. Exact if at most kExactRateFlips are
/// not zero, else `random.replicates` random sign vectors. Whole numbers only. Null with reason if
/// there is no task, sum B = 0 or the counts overflow 63 bits. STATISTICS, "P-values, rates".
[[nodiscard]] FlipTest rate_flip_test(std::span<const TaskPair> tasks,
                                      const Resampling& random = {});

}  // namespace unmask::stats
