#pragma once

#include <optional>
#include <span>

namespace unmask::stats {

/// Mean of task values and its standard error SD/sqrt(n), SD with n - 1.
struct Moments {
  double mean = 0.0;
  std::optional<double> se_of_mean;  ///< empty for one value; 0 if below kSmallestSe
};

/// At least one value. Compensated sum (Neumaier 1974) in index order.
[[nodiscard]] Moments moments_of(std::span<const double> values);

/// Compensated sum in index order.
[[nodiscard]] double sum_of(std::span<const double> values);

/// Delete-a-task jackknife standard error: root of (n-1)/n sum (x_(i) - mean x)^2, 0 if below
/// kSmallestSe; at least two values.
[[nodiscard]] double jackknife_se(std::span<const double> left_out);

}  // namespace unmask::stats
