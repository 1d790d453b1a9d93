#include "unmask/stats/rate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/interval.h"
#include "unmask/stats/special.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {
namespace {

struct Sums {
  double numerator = 0.0;
  double denominator = 0.0;
};

template <typename Get>
Sums sums_of(std::size_t tasks, const Get& get) {
  Sums sums;
  for (std::size_t i = 0; i < tasks; ++i) {
    const TaskTotal& total = get(i);
    UNMASK_CHECK(std::isfinite(total.numerator) && std::isfinite(total.denominator) &&
                 total.denominator >= 0.0);
    sums.numerator += total.numerator;
    sums.denominator += total.denominator;
  }
  return sums;
}

// Root of n/(n-1) sum u_i^2; rounding noise is 0.
double linearised_se(std::span<const double> contributions) {
  double squares = 0.0;
  for (const double u : contributions) squares += u * u;
  const auto n = static_cast<double>(contributions.size());
  const double se = std::sqrt(n / (n - 1.0) * squares);
  return se < kSmallestSe ? 0.0 : se;
}

double contribution(const TaskTotal& total, double ratio, double denominator) {
  return (total.numerator - ratio * total.denominator) / denominator;
}

}  // namespace

RatioOfSums ratio_of_sums(std::span<const TaskTotal> tasks) {
  const Sums sums =
      sums_of(tasks.size(), [&](std::size_t i) -> const TaskTotal& { return tasks[i]; });
  RatioOfSums ratio;
  if (sums.denominator == 0.0) return ratio;
  ratio.value = sums.numerator / sums.denominator;
  if (tasks.size() < 2) return ratio;
  std::vector<double> contributions;
  contributions.reserve(tasks.size());
  for (const TaskTotal& total : tasks) {
    contributions.push_back(contribution(total, *ratio.value, sums.denominator));
  }
  ratio.se = linearised_se(contributions);
  return ratio;
}

double effective_observations(double value, double se, std::size_t tasks) {
  const double spread = value * (1.0 - value);
  return spread <= 0.0 || se == 0.0 ? static_cast<double>(tasks) : spread / (se * se);
}

Estimate share_estimate(double value, double se, std::size_t tasks) {
  UNMASK_CHECK(tasks >= 2);
  const double n_eff = effective_observations(value, se, tasks);
  const double df = static_cast<double>(tasks) - 1.0;
  const Interval two_sided = wilson(value, n_eff, t_quantile(0.975, df));
  const Interval one_sided = wilson(value, n_eff, t_quantile(0.95, df));
  return {.figure = {value, two_sided.low, two_sided.high, {}},
          .se = se,
          .lower_bound = one_sided.low,
          .upper_bound = one_sided.high,
          .tasks = tasks};
}

Estimate mean_estimate(double value, std::optional<double> se, std::size_t tasks) {
  Estimate estimate{.figure = without_interval(value, {}), .se = se, .tasks = tasks};
  if (!se.has_value()) {
    estimate.figure.reason = kOneTask;
  } else if (*se < kSmallestSe) {
    estimate.se = 0.0;
    estimate.figure.reason = kNoSpread;
  } else {
    const double df = static_cast<double>(tasks) - 1.0;
    const Interval two_sided = t_interval(value, *se, df);
    const Interval one_sided = t_interval(value, *se, df, 0.05);
    estimate.figure = {value, two_sided.low, two_sided.high, {}};
    estimate.lower_bound = one_sided.low;
    estimate.upper_bound = one_sided.high;
  }
  return estimate;
}

bool few_clusters(std::size_t tasks, std::size_t tasks_with_errors) {
  return tasks < 30 || tasks_with_errors < 10;
}

namespace {

// A share's design and interval; the rate has at least two tasks.
void add_share(Rate& result, double value, double se, IntervalKind kind) {
  Estimate& estimate = result.estimate;
  const std::size_t tasks = estimate.tasks;
  if (value < 0.0 || value > 1.0) {
    estimate.figure = without_interval(value, "not a share: outside 0 to 1");
    return;
  }
  const double n_eff = effective_observations(value, se, tasks);
  result.n_eff = n_eff;
  if (value > 0.0 && value < 1.0) {
    result.deff = std::max(1.0, se * se / (value * (1.0 - value) / result.denominator));
  }
  if (kind == IntervalKind::wilson) {
    estimate = share_estimate(value, se, tasks);
    return;
  }
  if (result.denominator < 2.0) {
    estimate.figure = without_interval(value, "fewer than two observations");
    return;
  }
  const auto n = static_cast<double>(tasks);
  const Interval two_sided = korn_graubard(value, n_eff, result.denominator, n);
  const Interval one_sided = korn_graubard(value, n_eff, result.denominator, n, 0.05);
  estimate.figure = {value, two_sided.low, two_sided.high, {}};
  estimate.lower_bound = one_sided.low;
  estimate.upper_bound = one_sided.high;
}

}  // namespace

Rate rate(std::span<const TaskTotal> tasks, IntervalKind kind) {
  const Sums sums =
      sums_of(tasks.size(), [&](std::size_t i) -> const TaskTotal& { return tasks[i]; });
  Rate result{.numerator = sums.numerator, .denominator = sums.denominator};
  for (const TaskTotal& total : tasks) {
    if (total.numerator > 0.0) ++result.tasks_with_numerator;
  }
  result.few_clusters = few_clusters(tasks.size(), result.tasks_with_numerator);
  Estimate& estimate = result.estimate;
  estimate.tasks = tasks.size();
  if (tasks.empty() || sums.denominator == 0.0) {
    estimate.figure = missing(tasks.empty() ? kNoTasks : kEmptyDenominator);
    return result;
  }
  const RatioOfSums ratio = ratio_of_sums(tasks);
  if (!ratio.se.has_value() || kind == IntervalKind::plain_t) {
    estimate = mean_estimate(*ratio.value, ratio.se, tasks.size());
  } else {
    estimate.se = ratio.se;
    add_share(result, *ratio.value, *ratio.se, kind);
  }
  return result;
}

Estimate rate_difference(std::span<const TaskPair> tasks) {
  Estimate estimate{.tasks = tasks.size()};
  const Sums reference =
      sums_of(tasks.size(), [&](std::size_t i) -> const TaskTotal& { return tasks[i].reference; });
  const Sums arm =
      sums_of(tasks.size(), [&](std::size_t i) -> const TaskTotal& { return tasks[i].arm; });
  if (tasks.empty() || reference.denominator == 0.0 || arm.denominator == 0.0) {
    estimate.figure = missing(tasks.empty() ? kNoTasks : kEmptyDenominator);
    return estimate;
  }
  const double reference_rate = reference.numerator / reference.denominator;
  const double arm_rate = arm.numerator / arm.denominator;
  std::optional<double> se;
  if (tasks.size() >= 2) {
    std::vector<double> contributions;
    contributions.reserve(tasks.size());
    for (const TaskPair& pair : tasks) {
      contributions.push_back(contribution(pair.arm, arm_rate, arm.denominator) -
                              contribution(pair.reference, reference_rate, reference.denominator));
    }
    se = linearised_se(contributions);
  }
  return mean_estimate(arm_rate - reference_rate, se, tasks.size());
}

}  // namespace unmask::stats
