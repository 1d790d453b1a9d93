#include "unmask/stats/moments.h"

#include <cmath>
#include <span>

#include "unmask/base/check.h"
#include "unmask/stats/figure.h"

namespace unmask::stats {
namespace {

double squared_deviations(std::span<const double> values, double mean) {
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

double without_noise(double se) { return se < kSmallestSe ? 0.0 : se; }

}  // namespace

double sum_of(std::span<const double> values) {
  double sum = 0.0;
  double lost = 0.0;
  for (const double value : values) {
    const double next = sum + value;
    lost += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  return sum + lost;
}

Moments moments_of(std::span<const double> values) {
  UNMASK_CHECK(!values.empty());
  const auto n = static_cast<double>(values.size());
  Moments moments{.mean = sum_of(values) / n};
  if (values.size() >= 2) {
    moments.se_of_mean =
        without_noise(std::sqrt(squared_deviations(values, moments.mean) / (n - 1.0) / n));
  }
  return moments;
}

double jackknife_se(std::span<const double> left_out) {
  UNMASK_CHECK(left_out.size() >= 2);
  const auto n = static_cast<double>(left_out.size());
  const double mean = sum_of(left_out) / n;
  return without_noise(std::sqrt((n - 1.0) / n * squared_deviations(left_out, mean)));
}

}  // namespace unmask::stats
