#include "unmask/stats/equivalence.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "unmask/base/check.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/interval.h"
#include "unmask/stats/moments.h"
#include "unmask/stats/special.h"

namespace unmask::stats {

Equivalence equivalence_t(double estimate, double se, double df, double margin, double alpha) {
  UNMASK_CHECK(se > 0.0 && margin > 0.0 && alpha > 0.0 && alpha < 0.5);
  Equivalence result{.method = Equivalence::Method::t, .margin = margin, .alpha = alpha};
  result.p_upper = t_cdf((estimate - margin) / se, df);
  result.p_lower = t_upper_tail((estimate + margin) / se, df);
  result.p = std::max(result.p_upper, result.p_lower);
  result.interval90 = t_interval(estimate, se, df, alpha);
  return result;
}

Equivalence equivalence(std::span<const double> differences, double margin, double alpha) {
  UNMASK_CHECK(margin > 0.0 && alpha > 0.0 && alpha < 0.5);
  Equivalence result{.margin = margin, .alpha = alpha};
  if (differences.empty()) {
    result.reason = kNoTasks;
    return result;
  }
  std::size_t worse = 0;
  std::size_t better = 0;
  for (const double d : differences) {
    if (d > 0.0) ++worse;
    if (d < 0.0) ++better;
  }
  const Moments moments = moments_of(differences);
  const double se = moments.se_of_mean.value_or(0.0);
  if (worse + better >= kEquivalenceTasks && se > 0.0) {
    const double df = static_cast<double>(differences.size()) - 1.0;
    result = equivalence_t(moments.mean, se, df, margin, alpha);
  } else {
    const auto n = static_cast<std::int64_t>(differences.size());
    const double chance = std::min(margin, 1.0);
    result.method = Equivalence::Method::binomial;
    result.p_upper = binomial_cdf(static_cast<std::int64_t>(worse), n, chance);
    result.p_lower = binomial_cdf(static_cast<std::int64_t>(better), n, chance);
    result.p = std::max(result.p_upper, result.p_lower);
  }
  result.tasks = differences.size();
  result.worse = worse;
  result.better = better;
  return result;
}

std::optional<std::size_t> guarded_tasks_needed(const Equivalence& equivalence) {
  if (equivalence.method != Equivalence::Method::binomial) return std::nullopt;
  const auto n = static_cast<double>(equivalence.tasks);
  const double share = static_cast<double>(std::max(equivalence.worse, equivalence.better)) / n;
  if (share >= equivalence.margin) return std::nullopt;
  const double chance = std::min(equivalence.margin, 1.0);
  for (std::size_t tasks = equivalence.tasks + 1; tasks <= kMostTasksNeeded; ++tasks) {
    const auto differing =
        static_cast<std::int64_t>(std::ceil(share * static_cast<double>(tasks) - 1e-9));
    if (binomial_cdf(differing, static_cast<std::int64_t>(tasks), chance) < equivalence.alpha) {
      return tasks;
    }
  }
  return std::nullopt;
}

}  // namespace unmask::stats
