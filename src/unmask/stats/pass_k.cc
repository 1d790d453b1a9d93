#include "unmask/stats/pass_k.h"

#include <cstdint>
#include <span>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/moments.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {

Estimate pass_hat_k(std::span<const TaskTotal> tasks, std::int64_t k) {
  UNMASK_CHECK(k >= 1);
  std::vector<double> values;
  for (const TaskTotal& total : tasks) {
    UNMASK_CHECK(total.numerator >= 0.0 && total.numerator <= total.denominator);
    if (total.denominator < static_cast<double>(k)) continue;
    // C(s,k)/C(m,k) as a product of k factors; 0 as soon as s < k.
    double chance = 1.0;
    for (std::int64_t j = 0; j < k; ++j) {
      const auto gone = static_cast<double>(j);
      if (total.numerator <= gone) {
        chance = 0.0;
        break;
      }
      chance *= (total.numerator - gone) / (total.denominator - gone);
    }
    values.push_back(chance);
  }
  if (values.empty()) return {.figure = missing("no task has that many trials")};
  const Moments moments = moments_of(values);
  if (!moments.se_of_mean.has_value()) {
    return mean_estimate(moments.mean, moments.se_of_mean, values.size());
  }
  return share_estimate(moments.mean, *moments.se_of_mean, values.size());
}

}  // namespace unmask::stats
