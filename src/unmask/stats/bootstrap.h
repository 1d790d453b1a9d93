#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "unmask/stats/figure.h"
#include "unmask/stats/resampling.h"

namespace unmask::stats {

struct BootstrapResult {
  Figure figure;
  std::size_t dropped = 0;  ///< replicates where the statistic was undefined

  bool operator==(const BootstrapResult&) const = default;
};

/// A statistic of resampled tasks: `draws[i]` = how often task i was drawn (they sum to the number
/// of tasks). Empty where undefined.
using TaskStatistic = std::function<std::optional<double>(std::span<const std::uint32_t> draws)>;

/// Percentile bootstrap over `tasks` tasks, `random.replicates` replicates, type 7 quantiles. The
/// value is the statistic with each task once. Undefined replicates are dropped and counted; if
/// over 5 % are, or there are fewer than two tasks, there is no interval. STATISTICS, "Randomness".
[[nodiscard]] BootstrapResult bootstrap_over_tasks(std::size_t tasks,
                                                   const TaskStatistic& statistic,
                                                   const Resampling& random = {
                                                       .replicates = kBootstrapReplicates});

/// Two statistics of the same resamples, each as bootstrap_over_tasks of it alone gives it.
using PairStatistic =
    std::function<std::array<std::optional<double>, 2>(std::span<const std::uint32_t> draws)>;
using BootstrapPair = std::array<BootstrapResult, 2>;
[[nodiscard]] BootstrapPair bootstrap_pair_over_tasks(std::size_t tasks,
                                                      const PairStatistic& statistic,
                                                      const Resampling& random = {
                                                          .replicates = kBootstrapReplicates});

}  // namespace unmask::stats
