#include "unmask/stats/interval.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "unmask/base/check.h"
#include "unmask/stats/special.h"

namespace unmask::stats {

Interval wilson(double share, double observations, double z) {
  UNMASK_CHECK(share >= 0.0 && share <= 1.0 && observations > 0.0);
  const double z2_n = z * z / observations;
  const double centre = (share + z2_n / 2.0) / (1.0 + z2_n);
  const double half = std::sqrt(z2_n * share * (1.0 - share) + z2_n * z2_n / 4.0) / (1.0 + z2_n);
  return {share == 0.0 ? 0.0 : std::max(centre - half, 0.0),
          share == 1.0 ? 1.0 : std::min(centre + half, 1.0)};
}

Interval wilson(std::int64_t successes, std::int64_t trials) {
  UNMASK_CHECK(trials > 0 && successes >= 0 && successes <= trials);
  const auto n = static_cast<double>(trials);
  return wilson(static_cast<double>(successes) / n, n, normal_quantile(0.975));
}

Interval clopper_pearson(double successes, double trials, double tail) {
  UNMASK_CHECK(trials > 0.0 && successes >= 0.0 && successes <= trials);
  const double failures = trials - successes;
  return {successes == 0.0 ? 0.0 : beta_quantile(tail, successes, failures + 1.0),
          failures == 0.0 ? 1.0 : beta_quantile(1.0 - tail, successes + 1.0, failures)};
}

double korn_graubard_observations(double n_eff, double observations, double clusters, double tail) {
  UNMASK_CHECK(n_eff > 0.0 && observations >= 2.0 && clusters >= 2.0);
  const double ratio =
      t_quantile(1.0 - tail, observations - 1.0) / t_quantile(1.0 - tail, clusters - 1.0);
  return std::min(observations, n_eff * ratio * ratio);
}

Interval korn_graubard(double share, double n_eff, double observations, double clusters,
                       double tail) {
  UNMASK_CHECK(share >= 0.0 && share <= 1.0);
  const double effective = korn_graubard_observations(n_eff, observations, clusters, tail);
  return clopper_pearson(share == 1.0 ? effective : share * effective, effective, tail);
}

Interval t_interval(double value, double se, double df, double tail) {
  UNMASK_CHECK(se >= 0.0);
  const double half = t_quantile(1.0 - tail, df) * se;
  return {value - half, value + half};
}

double zero_count_upper_bound(double calls, double tasks_with_calls, std::optional<double> deff) {
  UNMASK_CHECK(calls > 0.0 && tasks_with_calls > 0.0);
  const double effective = deff.has_value()
                               ? std::max(tasks_with_calls, calls / std::max(*deff, 1.0))
                               : tasks_with_calls;
  // 1 - 0.05^(1/N) without cancellation for large N.
  return -std::expm1(std::log(0.05) / effective);
}

}  // namespace unmask::stats
