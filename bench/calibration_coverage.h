#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "calibration_cells.h"

namespace unmask::calibration {

/// What a figure is, which decides the bounds of its coverage.
enum class Group : std::uint8_t { rate, score, widening };

/// How often an interval held the truth.
struct Coverage {
  std::string figure;
  Group group = Group::rate;
  double truth = 0.0;
  std::size_t replicates = 0;  ///< with an interval
  std::size_t covered = 0;
  std::size_t below = 0;  ///< intervals that lie below the truth
  std::size_t above = 0;
  std::size_t missing = 0;  ///< replicates without an interval
  double mean = 0.0;        ///< of the estimates

  [[nodiscard]] double share() const {
    return replicates == 0 ? 0.0 : static_cast<double>(covered) / static_cast<double>(replicates);
  }
};

/// Coverage of the reference's and both arms' figures in coverage_cell(call_rate) at `design`,
/// against the analytic truth (power/process_moments.h), over `replicates` simulated cells audited
/// as any other. One entry a figure, in a fixed order.
[[nodiscard]] std::vector<Coverage> measure_coverage(double call_rate, const Design& design,
                                                     std::size_t replicates, std::uint64_t seed,
                                                     unsigned threads);

}  // namespace unmask::calibration
