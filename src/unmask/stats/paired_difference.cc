#include "unmask/stats/paired_difference.h"

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/moments.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/resampling.h"
#include "unmask/stats/sign_flip.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {

std::vector<double> differences(std::span<const TaskPair> tasks) {
  std::vector<double> values;
  values.reserve(tasks.size());
  for (const TaskPair& pair : tasks) {
    UNMASK_CHECK(pair.reference.denominator > 0.0 && pair.arm.denominator > 0.0);
    // Equal fractions round to equal doubles, so d_i = 0 exactly where the arms agree.
    values.push_back(pair.reference.numerator / pair.reference.denominator -
                     pair.arm.numerator / pair.arm.denominator);
  }
  return values;
}

PairedDifference paired_difference(std::span<const TaskPair> tasks, const Resampling& random) {
  PairedDifference result;
  const std::vector<double> values = differences(tasks);
  if (values.empty()) {
    result.estimate.figure = missing(kNoTasks);
    result.test.reason = kNoTasks;
    return result;
  }
  Moments moments = moments_of(values);
  // Differences of thirds that cancel leave 1e-17; a printed gap of exactly 0 should be 0.
  if (std::abs(moments.mean) < kSmallestSe) moments.mean = 0.0;
  result.estimate = mean_estimate(moments.mean, moments.se_of_mean, values.size());
  result.test = score_flip_test(tasks, random);
  return result;
}

}  // namespace unmask::stats
