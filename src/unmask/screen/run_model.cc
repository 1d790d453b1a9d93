#include "unmask/screen/run_model.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unmask/base/check.h"

namespace unmask::screen {

RunSums& RunSums::operator+=(const RunSums& other) {
  episodes += other.episodes;
  runs += other.runs;
  runs_squared += other.runs_squared;
  return *this;
}

RunSums& RunSums::operator-=(const RunSums& other) {
  episodes -= other.episodes;
  runs -= other.runs;
  runs_squared -= other.runs_squared;
  return *this;
}

RunSums run_sums(std::span<const std::uint32_t> runs) {
  RunSums sums;
  for (const std::uint32_t count : runs) {
    const auto m = static_cast<std::int64_t>(count);
    sums += {.episodes = 1, .runs = m, .runs_squared = m * m};
  }
  return sums;
}

RunModel fit_runs(const RunSums& sums, double continuation) {
  UNMASK_CHECK(sums.episodes > 0 && continuation >= 0.0 && continuation <= 1.0);
  const auto n = static_cast<double>(sums.episodes);
  RunModel model{.mean = static_cast<double>(sums.runs) / n,
                 .variance = 0.0,
                 .shape = {},
                 .continuation = continuation};
  if (sums.episodes > 1) {
    // n sum M^2 - (sum M)^2 in whole numbers: nothing cancels.
    const std::int64_t spread = sums.episodes * sums.runs_squared - sums.runs * sums.runs;
    model.variance = static_cast<double>(spread) / (n * (n - 1.0));
  }
  if (model.variance > model.mean) {
    model.shape = model.mean * model.mean / (model.variance - model.mean);
  }
  return model;
}

std::vector<double> failed_calls_cdf(const RunModel& model, double factor, int last) {
  UNMASK_CHECK(std::isfinite(factor) && factor >= 0.0 && last >= 0);
  const double mean = factor * model.mean;
  // P(M = j) = (step + start/j) P(M = j - 1).
  double step = 0.0;
  double start = mean;
  double none = std::exp(-mean);
  if (model.shape) {
    step = mean / (*model.shape + mean);
    start = (*model.shape - 1.0) * step;
    none = std::exp(-*model.shape * std::log1p(mean / *model.shape));
  }
  const auto size = static_cast<std::size_t>(last) + 1;
  std::vector<double> length(size);  // P(a run has this many calls)
  double still = 1.0 - model.continuation;
  for (std::size_t calls = 1; calls < size; ++calls) {
    length[calls] = still;
    still *= model.continuation;
  }
  std::vector<double> density(size);
  density[0] = none;
  for (std::size_t count = 1; count < size; ++count) {
    for (std::size_t calls = 1; calls <= count; ++calls) {
      const double share = static_cast<double>(calls) / static_cast<double>(count);
      density[count] += (step + start * share) * length[calls] * density[count - calls];
    }
  }
  for (std::size_t count = 1; count < size; ++count) {
    density[count] = std::min(density[count] + density[count - 1], 1.0);
  }
  return density;
}

std::vector<double> surviving_shares(const RunModel& model, double factor, int last_budget) {
  UNMASK_CHECK(last_budget >= 1);
  const std::vector<double> before = failed_calls_cdf(model, 1.0, last_budget - 1);
  std::vector<double> shares = failed_calls_cdf(model, factor, last_budget - 1);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] = before[i] > 0.0 ? shares[i] / before[i] : 1.0;
  }
  return shares;
}

}  // namespace unmask::screen
