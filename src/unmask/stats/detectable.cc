#include "unmask/stats/detectable.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "unmask/base/check.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/special.h"

namespace unmask::stats {

std::optional<double> smallest_detectable(std::optional<double> se, std::size_t tasks,
                                          double alpha) {
  UNMASK_CHECK(alpha > 0.0 && alpha < 1.0);
  if (!se.has_value() || *se < kSmallestSe || tasks < 2) return std::nullopt;
  const double df = static_cast<double>(tasks) - 1.0;
  return *se * (t_quantile(1.0 - alpha / 2.0, df) + t_quantile(0.80, df));
}

std::optional<std::size_t> tasks_needed(std::optional<double> se, std::size_t tasks,
                                        double distance, std::optional<double> t) {
  if (!se.has_value() || tasks < 2 || distance == 0.0 || !std::isfinite(distance)) {
    return std::nullopt;
  }
  const auto n = static_cast<double>(tasks);
  const double quantile = t.value_or(t_quantile(0.95, n - 1.0));
  const double ratio = *se * quantile / distance;
  const double needed = std::ceil(n * ratio * ratio);
  // More tasks than a size_t or a lifetime holds: no answer rather than a wrong one.
  if (!(needed < 1e15)) return std::nullopt;
  return std::max<std::size_t>(2, static_cast<std::size_t>(needed));
}

}  // namespace unmask::stats
