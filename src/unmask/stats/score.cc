#include "unmask/stats/score.h"

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/moments.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {
namespace {

std::vector<double> task_values(std::span<const TaskTotal> tasks) {
  std::vector<double> values;
  values.reserve(tasks.size());
  for (const TaskTotal& total : tasks) {
    UNMASK_CHECK(total.denominator > 0.0 && std::isfinite(total.numerator));
    values.push_back(total.numerator / total.denominator);
  }
  return values;
}

}  // namespace

Estimate task_mean(std::span<const TaskTotal> tasks) {
  const std::vector<double> values = task_values(tasks);
  if (values.empty()) return {.figure = missing(kNoTasks)};
  const Moments moments = moments_of(values);
  return mean_estimate(moments.mean, moments.se_of_mean, values.size());
}

Estimate score(std::span<const TaskTotal> tasks) {
  Estimate plain = task_mean(tasks);
  if (!plain.figure.value.has_value() || !plain.se.has_value()) return plain;
  for (const TaskTotal& total : tasks) {
    UNMASK_CHECK(total.numerator >= 0.0 && total.numerator <= total.denominator);
  }
  return share_estimate(*plain.figure.value, *plain.se, plain.tasks);
}

}  // namespace unmask::stats
