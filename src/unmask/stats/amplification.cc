#include "unmask/stats/amplification.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/interval.h"
#include "unmask/stats/moments.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {
namespace {

TaskPair total_of(std::span<const TaskPair> tasks) {
  TaskPair total;
  for (const TaskPair& pair : tasks) {
    total.reference.numerator += pair.reference.numerator;
    total.reference.denominator += pair.reference.denominator;
    total.arm.numerator += pair.arm.numerator;
    total.arm.denominator += pair.arm.denominator;
  }
  return total;
}

double ln_rate_ratio(const TaskPair& total) {
  return std::log(total.arm.numerator) - std::log(total.arm.denominator) -
         std::log(total.reference.numerator) + std::log(total.reference.denominator);
}

// Every sum of `total` without `left_out` must be above 0 for the logarithm to exist.
TaskPair without(const TaskPair& total, const TaskPair& left_out) {
  return {.reference = {total.reference.numerator - left_out.reference.numerator,
                        total.reference.denominator - left_out.reference.denominator},
          .arm = {total.arm.numerator - left_out.arm.numerator,
                  total.arm.denominator - left_out.arm.denominator}};
}

Estimate without_ratio(const char* reason, std::size_t tasks) {
  return {.figure = missing(reason), .tasks = tasks};
}

}  // namespace

Amplification amplification(std::span<const TaskPair> tasks) {
  Amplification result{.difference = rate_difference(tasks)};
  for (const TaskPair& pair : tasks) {
    UNMASK_CHECK(pair.reference.numerator >= 0.0 && pair.arm.numerator >= 0.0);
    if (pair.reference.numerator > 0.0 || pair.arm.numerator > 0.0) ++result.tasks_with_errors;
  }
  const TaskPair total = total_of(tasks);
  const std::size_t n = tasks.size();
  const auto unavailable = [&](const char* reason) {
    result.ratio = without_ratio(reason, n);
    return result;
  };
  if (n == 0) return unavailable(kNoTasks);
  if (total.reference.denominator == 0.0 || total.arm.denominator == 0.0) {
    return unavailable(kEmptyDenominator);
  }
  if (total.reference.numerator > 0.0) {
    result.plain_ratio = (total.arm.numerator / total.arm.denominator) /
                         (total.reference.numerator / total.reference.denominator);
  }
  if (total.reference.numerator == 0.0) return unavailable("the reference's total is 0");
  if (total.arm.numerator == 0.0) return unavailable("the arm's total is 0");
  if (n < 2) return unavailable(kOneTask);

  std::vector<double> left_out;
  left_out.reserve(n);
  for (const TaskPair& pair : tasks) {
    const TaskPair rest = without(total, pair);
    // Sums of whole numbers are exact; for fractions compare with what one task can leave over.
    if (pair.reference.numerator >= total.reference.numerator ||
        pair.arm.numerator >= total.arm.numerator || rest.reference.numerator <= 0.0 ||
        rest.arm.numerator <= 0.0) {
      return unavailable("one task holds the whole total of an arm");
    }
    if (rest.reference.denominator <= 0.0 || rest.arm.denominator <= 0.0) {
      return unavailable("one task holds the whole denominator of an arm");
    }
    left_out.push_back(ln_rate_ratio(rest));
  }
  const double ln_ratio = ln_rate_ratio(total);
  const double se = jackknife_se(left_out);
  const double df = static_cast<double>(n) - 1.0;
  const Interval two_sided = t_interval(ln_ratio, se, df);
  const Interval one_sided = t_interval(ln_ratio, se, df, 0.05);
  result.ln_ratio = ln_ratio;
  result.se_ln = se;
  result.ratio = {
      .figure = {std::exp(ln_ratio), std::exp(two_sided.low), std::exp(two_sided.high), {}},
      .se = se,
      .lower_bound = std::exp(one_sided.low),
      .upper_bound = std::exp(one_sided.high),
      .tasks = n};
  return result;
}

}  // namespace unmask::stats
