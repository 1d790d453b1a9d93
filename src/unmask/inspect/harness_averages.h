#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// What a benchmark's own pass^k makes of infrastructure errors. tau2-bench filters them out, but
/// under pandas 3 that filter never matches, and each counts as a failed trial; its published
/// numbers may be either. tau-bench records a crash with reward 0 and averages over all it
/// recorded.
enum class InfrastructureConvention : std::uint8_t {
  left_out,  ///< tau2-bench under pandas 2, and what it means
  failed,    ///< tau2-bench under pandas 3, and tau-bench
};
[[nodiscard]] std::string_view name_of(InfrastructureConvention convention);

struct PassAverages {
  InfrastructureConvention convention = InfrastructureConvention::left_out;
  std::vector<double> pass_hat;  ///< [k-1] = pass^k, as far as the harness gives it
  std::uint32_t trials = 0;
  std::uint32_t tasks = 0;

  bool operator==(const PassAverages&) const = default;
};

/// The averages that the benchmark itself prints for a log, for comparison with published numbers;
/// of a log of another harness, those that tau2-bench would print.
struct HarnessAverages {
  /// Mean of the rewards, fractions included, missing rewards left out. Infrastructure errors are
  /// left out by tau2-bench under both conventions and are 0 in tau-bench. Empty if nothing is
  /// averaged.
  std::optional<double> average_reward;
  /// One entry; two, one for each convention, where a log that is not tau-bench's has
  /// infrastructure errors.
  std::vector<PassAverages> pass;

  bool operator==(const HarnessAverages&) const = default;
};

/// pass^k is given for k up to the smaller of the header's number of trials, where it has one, and
/// the fewest trials of a task. An episode without reward that is no infrastructure error counts as
/// failed in it; if no episode has a reward, there is none.
[[nodiscard]] HarnessAverages harness_averages(const LogHeader& header, const ArmFacts& arm);

}  // namespace unmask
