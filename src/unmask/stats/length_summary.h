#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "unmask/stats/bootstrap.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/resampling.h"

namespace unmask::stats {

/// Messages, turns, tool calls, errors, tokens, seconds or cost an episode, of one arm.
struct LengthSummary {
  std::size_t episodes = 0;
  Estimate mean;           ///< over episodes; linearised SE, tasks as clusters; t interval
  BootstrapResult median;  ///< bootstrap over tasks
  BootstrapResult p90;     ///< 90th percentile, type 7; bootstrap over tasks

  bool operator==(const LengthSummary&) const = default;
};

/// One value an episode, grouped by task (a task may be empty). STATISTICS, "Lengths and cost".
[[nodiscard]] LengthSummary length_summary(std::span<const std::vector<double>> episodes_by_task,
                                           const Resampling& random = {
                                               .replicates = kBootstrapReplicates});

/// Arm against reference on shared tasks: arm - reference and arm/reference.
struct LengthComparison {
  Estimate mean_difference;
  Estimate mean_ratio;  ///< delete-a-task jackknife on the logarithm, as amplification
  BootstrapResult median_difference;
  BootstrapResult median_ratio;
  BootstrapResult p90_difference;
  BootstrapResult p90_ratio;

  bool operator==(const LengthComparison&) const = default;
};

/// Both spans list the same tasks in the same order. Both arms of a task are resampled together.
/// Ratios are null where the reference's figure is 0.
[[nodiscard]] LengthComparison length_comparison(
    std::span<const std::vector<double>> reference_by_task,
    std::span<const std::vector<double>> arm_by_task,
    const Resampling& random = {.replicates = kBootstrapReplicates});

}  // namespace unmask::stats
