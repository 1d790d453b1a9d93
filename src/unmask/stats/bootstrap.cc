#include "unmask/stats/bootstrap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/rng.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/quantile.h"
#include "unmask/stats/resampling.h"

namespace unmask::stats {
namespace {

constexpr double kLargestDroppedShare = 0.05;

}  // namespace

BootstrapResult bootstrap_over_tasks(std::size_t tasks, const TaskStatistic& statistic,
                                     const Resampling& random) {
  UNMASK_CHECK(random.replicates >= 1);
  BootstrapResult result;
  if (tasks == 0) {
    result.figure = missing(kNoTasks);
    return result;
  }
  std::vector<std::uint32_t> draws(tasks, 1);
  const std::optional<double> value = statistic(draws);
  if (!value.has_value()) {
    result.figure = missing("undefined for these tasks");
    return result;
  }
  if (tasks < 2) {
    result.figure = without_interval(*value, kOneTask);
    return result;
  }
  Rng rng(random.seed, "bootstrap", random.index);
  std::vector<double> replicates;
  replicates.reserve(random.replicates);
  for (std::size_t replicate = 0; replicate < random.replicates; ++replicate) {
    std::ranges::fill(draws, 0U);
    for (std::size_t i = 0; i < tasks; ++i) ++draws[rng.below(static_cast<std::uint32_t>(tasks))];
    if (const std::optional<double> drawn = statistic(draws)) {
      replicates.push_back(*drawn);
    } else {
      ++result.dropped;
    }
  }
  if (static_cast<double>(result.dropped) >
      kLargestDroppedShare * static_cast<double>(random.replicates)) {
    result.figure = without_interval(*value, "undefined in over 5 % of the bootstrap replicates");
    return result;
  }
  std::ranges::sort(replicates);
  result.figure = {
      value, sorted_quantile(replicates, 0.025), sorted_quantile(replicates, 0.975), {}};
  return result;
}

}  // namespace unmask::stats
