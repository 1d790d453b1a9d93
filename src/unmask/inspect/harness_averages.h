#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "unmask/episode/facts.h"

namespace unmask {

/// What tau2-bench's own pass^k makes of infrastructure errors. It filters them out, but under
/// pandas 3 that filter never matches, and each counts as a failed trial. Published numbers may be
/// either.
enum class InfrastructureConvention : std::uint8_t {
  left_out,  ///< pandas 2, and what the harness means
  failed,    ///< pandas 3
};
[[nodiscard]] std::string_view name_of(InfrastructureConvention convention);

struct PassAverages {
  InfrastructureConvention convention = InfrastructureConvention::left_out;
  std::vector<double> pass_hat;  ///< [k-1] = pass^k, as far as the harness gives it
  std::uint32_t trials = 0;
  std::uint32_t tasks = 0;

  bool operator==(const PassAverages&) const = default;
};

/// The averages that tau2-bench itself prints for a log, for comparison with published numbers.
struct HarnessAverages {
  /// Mean of the rewards, fractions included; infrastructure errors and missing rewards left out
  /// under both conventions. Empty if no episode has one.
  std::optional<double> average_reward;
  /// One entry, or one for each convention where the log has infrastructure errors.
  std::vector<PassAverages> pass;

  bool operator==(const HarnessAverages&) const = default;
};

/// pass^k is given for k up to the smaller of `trials_promised` (where the header has it) and the
/// fewest trials of a task. An episode without reward that is no infrastructure error counts as
/// failed in it.
[[nodiscard]] HarnessAverages harness_averages(const ArmFacts& arm,
                                               std::optional<int> trials_promised);

}  // namespace unmask
