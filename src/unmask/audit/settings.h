#pragma once

#include <cstdint>
#include <vector>

#include "unmask/base/rng.h"
#include "unmask/stats/multiple_comparisons.h"

namespace unmask {

/// Everything that a figure of the audit depends on besides the logs.
struct AuditSettings {
  double alpha = 0.05;    ///< significance level of adjusted p-values
  double margin = 0.075;  ///< equivalence margin of scores, as a fraction (7.5 points)
  stats::Correction correction = stats::Correction::holm;
  /// Comparisons of the same study that are audited apart: the families count them as p = 1, which
  /// is the most cautious that Holm can be.
  std::uint32_t comparisons_elsewhere = 0;
  std::vector<int> budgets = {
      2, 5};  ///< budgets beside K_obs that get a headline; the first is widening's
  double amplified_ratio = 1.25;   ///< a ratio from here on is an amplification
  double near_zero_rate = 0.01;    ///< rates below, per call, are near zero
  double quiet_difference = 0.02;  ///< difference of rates, per call, that is small
  double novelty_margin = 0.05;    ///< excess of novel names that is still "the same failures"
  int shown_budget = 10;           ///< largest K shown for an uncensored log
  std::uint64_t seed = kDefaultSeed;
  std::uint32_t sign_flips = 99'999;  ///< random sign vectors of a rate test
  std::uint32_t label_swaps = 1'000;  ///< of the noise ceiling
  std::uint32_t bootstrap = 2'000;    ///< replicates of a bootstrap interval
  bool sensitivity = true;            ///< verdicts under all budget semantics
  bool details = true;  ///< failure sets, attribution, lengths; false: what the verdict needs
};

}  // namespace unmask
