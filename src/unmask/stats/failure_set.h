#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/stats/name_counts.h"
#include "unmask/stats/novelty.h"
#include "unmask/stats/rank_correlation.h"
#include "unmask/stats/resampling.h"
#include "unmask/stats/shape.h"

namespace unmask::stats {

inline constexpr double kFailureSetErrors = 30;      ///< errors that each arm needs
inline constexpr std::size_t kFailureSetTasks = 10;  ///< tasks with errors that each arm needs
inline constexpr double kInvariantExcess = 0.05;     ///< 5 points

enum class FailureSetOutcome {
  too_few_errors,
  new_failures,           ///< the excess' two-sided 95 % lower limit is above 0
  invariant_failure_set,  ///< its one-sided 95 % upper bound is under the limit
  undecided,
};
[[nodiscard]] std::string_view name_of(FailureSetOutcome outcome);

/// What the rank correlation would be if only noise told the arms apart.
struct NoiseCeiling {
  std::optional<double> median;
  std::optional<double> low;  ///< 5th percentile
  std::size_t dropped = 0;    ///< swaps where the coefficient was undefined

  bool operator==(const NoiseCeiling&) const = default;
};

struct FailureSetOptions {
  std::uint64_t seed = kDefaultSeed;
  std::uint64_t index = 0;
  std::size_t flips = kTestReplicates;     ///< random sign vectors of the shape test
  std::size_t swaps = kCeilingReplicates;  ///< label swaps of the noise ceiling
  double invariant_excess = kInvariantExcess;

  bool operator==(const FailureSetOptions&) const = default;
};

/// The same failures, louder? Everything of one channel.
struct FailureSet {
  FailureSetOutcome outcome = FailureSetOutcome::too_few_errors;
  std::string reason;               ///< 'too few errors: ...' with the counts
  std::size_t tasks_reference = 0;  ///< with errors
  std::size_t tasks_arm = 0;
  RankCorrelation rank;  ///< over the union of names
  NoiseCeiling ceiling;  ///< of Spearman's rho
  Novelty novelty;       ///< counts are always there; the rest only with enough errors
  ShapeDistance pooled;
  ShapeTest shape;

  bool operator==(const FailureSet&) const = default;
};

/// Median and 5th percentile of Spearman's rho over random within-task label swaps: in each task
/// the arm labels are dealt anew to the trials of both arms, as many to each arm as it has there.
[[nodiscard]] NoiseCeiling noise_ceiling(const NameTable& table,
                                         const Resampling& random = {
                                             .replicates = kCeilingReplicates});

/// Needs at least 30 errors and 10 tasks with errors in each arm, else outcome too_few_errors and
/// nothing but counts. STATISTICS, "Failure set".
[[nodiscard]] FailureSet failure_set(const NameTable& table, const FailureSetOptions& options = {});

}  // namespace unmask::stats
