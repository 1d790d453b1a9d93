#include "unmask/stats/bootstrap.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/rng.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/quantile.h"
#include "unmask/stats/resampling.h"

namespace unmask::stats {
namespace {

constexpr double kLargestDroppedShare = 0.05;

// What the replicates of one statistic gave.
struct Replicates {
  std::vector<double> values;
  std::size_t dropped = 0;
};

template <std::size_t N, typename Statistic>
std::array<BootstrapResult, N> bootstrap(std::size_t tasks, const Statistic& statistic,
                                         const Resampling& random) {
  UNMASK_CHECK(random.replicates >= 1);
  std::array<BootstrapResult, N> results;
  if (tasks == 0) {
    for (BootstrapResult& result : results) result.figure = missing(kNoTasks);
    return results;
  }
  std::vector<std::uint32_t> draws(tasks, 1);
  const std::array<std::optional<double>, N> values = statistic(draws);
  const bool any = std::ranges::any_of(values, [](const auto& value) { return value.has_value(); });
  std::array<Replicates, N> replicates;
  if (any && tasks >= 2) {
    Rng rng(random.seed, "bootstrap", random.index);
    for (std::size_t replicate = 0; replicate < random.replicates; ++replicate) {
      std::ranges::fill(draws, 0U);
      rng.tally(tasks, draws);
      const std::array<std::optional<double>, N> drawn = statistic(draws);
      for (std::size_t i = 0; i < N; ++i) {
        if (drawn[i].has_value()) {
          replicates[i].values.push_back(*drawn[i]);
        } else {
          ++replicates[i].dropped;
        }
      }
    }
  }
  const double limit = kLargestDroppedShare * static_cast<double>(random.replicates);
  for (std::size_t i = 0; i < N; ++i) {
    if (!values[i].has_value()) {
      results[i].figure = missing("undefined for these tasks");
      continue;
    }
    if (tasks < 2) {
      results[i].figure = without_interval(*values[i], kOneTask);
      continue;
    }
    results[i].dropped = replicates[i].dropped;
    if (static_cast<double>(replicates[i].dropped) > limit) {
      results[i].figure =
          without_interval(*values[i], "undefined in over 5 % of the bootstrap replicates");
      continue;
    }
    std::vector<double>& sorted = replicates[i].values;
    std::ranges::sort(sorted);
    results[i].figure = {
        values[i], sorted_quantile(sorted, 0.025), sorted_quantile(sorted, 0.975), {}};
  }
  return results;
}

}  // namespace

BootstrapResult bootstrap_over_tasks(std::size_t tasks, const TaskStatistic& statistic,
                                     const Resampling& random) {
  const auto one = [&](std::span<const std::uint32_t> draws) {
    return std::array<std::optional<double>, 1>{statistic(draws)};
  };
  return bootstrap<1>(tasks, one, random)[0];
}

BootstrapPair bootstrap_pair_over_tasks(std::size_t tasks, const PairStatistic& statistic,
                                        const Resampling& random) {
  return bootstrap<2>(tasks, statistic, random);
}

}  // namespace unmask::stats
