#pragma once

#include <cstdint>
#include <optional>

namespace unmask::stats {

struct Interval {
  double low = 0.0;
  double high = 0.0;

  bool operator==(const Interval&) const = default;
};

/// Wilson's interval of a share: `observations` > 0 (an effective number need not be whole), `z`
/// the quantile to use: normal, or Student's t where the number of clusters is small. Exactly 0 (1)
/// at that end if share is 0 (1). Wilson 1927.
[[nodiscard]] Interval wilson(double share, double observations, double z);
/// 95 % Wilson interval of `successes` out of `trials` > 0 independent ones.
[[nodiscard]] Interval wilson(std::int64_t successes, std::int64_t trials);

/// Exact interval of `successes` out of `trials` > 0 independent ones, (1 - 2 tail) coverage:
/// tail = .025 for 95 % two-sided, .05 for one-sided 95 % bounds. Both may be fractions (effective
/// numbers). Clopper and Pearson 1934.
[[nodiscard]] Interval clopper_pearson(double successes, double trials, double tail = 0.025);

/// Korn and Graubard 1998: Clopper-Pearson at an effective number of observations,
/// n* = min(N, n_eff (t_{1-tail,N-1} / t_{1-tail,n-1})^2). `share` in [0, 1], `n_eff` > 0,
/// `observations` N >= 2, `clusters` n >= 2. STATISTICS, "Rates": call rates.
[[nodiscard]] Interval korn_graubard(double share, double n_eff, double observations,
                                     double clusters, double tail = 0.025);

/// n* of korn_graubard.
[[nodiscard]] double korn_graubard_observations(double n_eff, double observations, double clusters,
                                                double tail = 0.025);

/// value -+ t_{1-tail,df} se.
[[nodiscard]] Interval t_interval(double value, double se, double df, double tail = 0.025);

/// One-sided 95 % upper bound of a rate per call of which no call failed: 1 - 0.05^(1/N_eff),
/// N_eff = max(n', N/deff). `calls` N > 0, `tasks_with_calls` n' > 0. `deff` is the design effect
/// of the other arm's same channel (values under 1 count as 1); pass nothing if that arm has errors
/// in fewer than 10 tasks, then N_eff = n'. STATISTICS, "Differences".
[[nodiscard]] double zero_count_upper_bound(double calls, double tasks_with_calls,
                                            std::optional<double> deff);

}  // namespace unmask::stats
