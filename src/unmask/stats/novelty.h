#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "unmask/stats/figure.h"
#include "unmask/stats/name_counts.h"

namespace unmask::stats {

/// Do the arm's failures carry names that the reference never produced, beyond what volume alone
/// explains? Shares are fractions.
struct Novelty {
  double errors_reference = 0.0;  ///< N_ref
  double errors_arm = 0.0;        ///< N_arm
  std::size_t distinct_reference = 0;
  std::size_t distinct_arm = 0;
  std::optional<double> novel_share;           ///< V; empty without errors in the arm
  std::optional<double> novel_distinct_share;  ///< of the arm's distinct names
  /// Good-Turing: errors of the reference whose name occurs in exactly one of its episodes / N_ref.
  std::optional<double> good_turing_episode;
  std::optional<double> good_turing_call;  ///< names that occur once / N_ref; the plain version
  std::optional<double> rarefied_to;       ///< s = min(N_ref, N_arm); empty if it is 0
  std::optional<double> distinct_arm_rarefied;    ///< expected in a subsample of s errors
  std::optional<double> novel_distinct_rarefied;  ///< of these, expected novel ones
  std::optional<double> novel_distinct_share_rarefied;
  /// X = V - G; delete-a-task jackknife SE, t interval, one-sided bounds.
  Estimate excess;

  bool operator==(const Novelty&) const = default;
};

/// STATISTICS, "Failure set". Good 1953; Hurlbert 1971 (rarefaction, hypergeometric). With one
/// trial a task G overstates: the caller says so.
[[nodiscard]] Novelty novelty(const NameTable& table);

}  // namespace unmask::stats
