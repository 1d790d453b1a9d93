#include "unmask/margins/task_jackknife.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "unmask/stats/figure.h"
#include "unmask/stats/moments.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/special.h"

namespace unmask::margins {
namespace {

stats::Figure cut(stats::Figure figure, double low, double high) {
  if (figure.low) figure.low = std::clamp(*figure.low, low, high);
  if (figure.high) figure.high = std::clamp(*figure.high, low, high);
  return figure;
}

}  // namespace

stats::Figure with_jackknife(double value, std::span<const std::optional<double>> left_out,
                             Range range) {
  const std::size_t tasks = left_out.size();
  if (tasks < 2) return stats::without_interval(value, stats::kOneTask);
  const bool is_log = range == Range::positive;
  std::vector<double> values;
  values.reserve(tasks);
  for (const std::optional<double>& each : left_out) {
    if (!each || (is_log && *each <= 0.0))
      return stats::without_interval(value, "it can't be had without one of the tasks");
    values.push_back(is_log ? std::log(*each) : *each);
  }
  const double se = stats::jackknife_se(values);
  const double df = static_cast<double>(tasks) - 1.0;
  switch (range) {
    case Range::share:
      return stats::share_estimate(std::clamp(value, 0.0, 1.0), se, tasks).figure;
    case Range::positive: {
      if (se < stats::kSmallestSe) return stats::without_interval(value, stats::kNoSpread);
      const double factor = std::exp(stats::t_quantile(0.975, df) * se);
      return {value, value / factor, value * factor, {}};
    }
    case Range::any:
      return stats::mean_estimate(value, se, tasks).figure;
    case Range::unit:
      return cut(stats::mean_estimate(value, se, tasks).figure, 0.0, 1.0);
    case Range::rank:
      return cut(stats::mean_estimate(value, se, tasks).figure, -1.0, 1.0);
  }
  return {};
}

}  // namespace unmask::margins
