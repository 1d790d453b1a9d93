#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// Diagnostic code of a (task, trial) pair that a log holds more than once.
inline constexpr const char* kDuplicateTrial = "duplicate_trial";

/// A trial that the header promises.
struct TrialKey {
  std::string task_id;
  int trial = 0;

  bool operator==(const TrialKey&) const = default;
};

/// Which trials of a log are observations, and what became of the others.
struct TrialLedger {
  static constexpr std::size_t kNamedMissing = 20;

  std::uint32_t tasks = 0;                 ///< in the log, with or without an episode
  std::optional<std::uint64_t> promised;   ///< tasks x trials of the header, where it has both
  std::uint32_t recorded = 0;              ///< episodes, excluded ones included
  std::uint32_t observed = 0;              ///< episodes that are observations
  std::uint32_t infrastructure = 0;        ///< excluded: ended through infrastructure
  std::uint32_t infrastructure_empty = 0;  ///< of these, placeholders without a single message
  std::uint32_t no_reward = 0;             ///< excluded: the log has no usable reward
  std::uint64_t missing = 0;               ///< promised and not recorded
  /// Up to kNamedMissing of them; none where some episodes do not say which task they are of.
  std::vector<TrialKey> first_missing;
  std::uint32_t duplicates = 0;  ///< records of a pair beyond its first

  /// Trials that are no observation.
  [[nodiscard]] std::uint64_t vanished() const { return infrastructure + no_reward + missing; }

  bool operator==(const TrialLedger&) const = default;
};

/// `diagnostics` are those of this log alone: an importer that keeps the last of duplicate trials
/// reports each of the others as kDuplicateTrial.
[[nodiscard]] TrialLedger trial_ledger(const LogHeader& header, const ArmFacts& arm,
                                       const Diagnostics& diagnostics);

}  // namespace unmask
