#pragma once

#include <cstddef>
#include <vector>

namespace unmask::power {

/// The distribution of the logarithm of a positive factor at the nodes first, first + step, ...;
/// the weights sum to 1. A Gamma density is analytic in the logarithm and falls off exponentially
/// to both sides there, so that equidistant nodes integrate smooth functions with a relative error
/// of about exp(-pi^2 / step).
struct LogGrid {
  double first = 0.0;
  double step = 0.25;
  std::vector<double> weights = {1.0};

  /// The factor itself at node `i`.
  [[nodiscard]] double factor(std::size_t i) const;
};

/// A step that resolves Gamma factors (mean 1) of both shapes > 0.
[[nodiscard]] double grid_step(double shape_a, double shape_b);

/// Gamma of `shape` > 0 and mean 1. Shapes from 1e5 on (standard deviation 0.3 %) count as the
/// constant 1.
[[nodiscard]] LogGrid gamma_grid(double shape, double step);

/// The product of two independent factors on grids of the same step.
[[nodiscard]] LogGrid product(const LogGrid& a, const LogGrid& b);

}  // namespace unmask::power
