#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "unmask/margins/findings.h"
#include "unmask/margins/paired_group.h"

namespace unmask::margins {

struct FlipPrediction {
  FlipFindings good, bad;
  /// Parallel to the group's decisions: predicted probability of a flip, normal; empty where it
  /// can't be had.
  std::vector<std::optional<double>> probability;
};

/// Predicted against observed flips, good and bad decisions apart. Tasks are dealt to `folds` folds
/// in turn; b, s and the errors that predict a decision are those of the other folds' tasks.
/// Intervals: Wilson for what was observed, delete-a-task jackknife (with b and s estimated again)
/// for the rest. Flips of decisions beyond the window are observed but never predicted.
[[nodiscard]] FlipPrediction flip_prediction(const PairedGroup& group,
                                             const WindowedNoiseOrReason& windowed,
                                             std::size_t folds);

}  // namespace unmask::margins
