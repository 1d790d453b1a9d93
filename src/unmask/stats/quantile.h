#pragma once

#include <span>

namespace unmask::stats {

/// Type 7 quantile (linear interpolation at (n-1)q, as R and numpy by default) of values in any
/// order; at least one value, none NaN, 0 <= q <= 1.
[[nodiscard]] double quantile(std::span<const double> values, double q);
/// The same for values sorted upwards.
[[nodiscard]] double sorted_quantile(std::span<const double> sorted, double q);

}  // namespace unmask::stats
