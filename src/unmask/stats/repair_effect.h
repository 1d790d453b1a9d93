#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "unmask/stats/figure.h"
#include "unmask/stats/paired_difference.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {

/// One task of a repaired arm, its own unrepaired arm and the reference: solved trials over trials.
struct RepairTask {
  TaskTotal reference;
  TaskTotal unrepaired;
  TaskTotal repaired;

  bool operator==(const RepairTask&) const = default;
};

struct RepairEffect {
  PairedDifference gap_unrepaired;  ///< D of the unrepaired arm: reference - unrepaired
  PairedDifference gap_repaired;    ///< D of the repaired arm: reference - repaired
  PairedDifference gain;            ///< repaired - unrepaired: positive = the repair helps
  /// (D_unrepaired - D_repaired)/D_unrepaired; null unless D_unrepaired is positive and
  /// significant.
  std::optional<double> recovered_share;
  /// One-sided 95 % upper bound of how much the repair costs (in score); empty without spread.
  std::optional<double> harm_bound;

  bool operator==(const RepairEffect&) const = default;
};

/// STATISTICS, "Repair". `alpha` decides whether D_unrepaired is significant (its unadjusted p).
[[nodiscard]] RepairEffect repair_effect(std::span<const RepairTask> tasks,
                                         const Resampling& random = {}, double alpha = 0.05);

enum class RepairOutcome { helps, no_effect_shown, harms };
[[nodiscard]] std::string_view name_of(RepairOutcome outcome);
/// From the gain and its p, adjusted over the repair family.
[[nodiscard]] RepairOutcome repair_outcome(const RepairEffect& effect,
                                           std::optional<double> adjusted_p, double alpha = 0.05);

}  // namespace unmask::stats
