#include "unmask/stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "unmask/base/check.h"

namespace unmask::stats {

double sorted_quantile(std::span<const double> sorted, double q) {
  UNMASK_CHECK(!sorted.empty() && q >= 0.0 && q <= 1.0);
  const double position = static_cast<double>(sorted.size() - 1) * q;
  const auto below = static_cast<std::size_t>(position);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double fraction = position - static_cast<double>(below);
  return sorted[below] + fraction * (sorted[below + 1] - sorted[below]);
}

double quantile(std::span<const double> values, double q) {
  std::vector<double> sorted(values.begin(), values.end());
  for (const double value : sorted) UNMASK_CHECK(!std::isnan(value));
  std::ranges::sort(sorted);
  return sorted_quantile(sorted, q);
}

}  // namespace unmask::stats
