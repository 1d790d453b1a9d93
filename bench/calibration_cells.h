#pragma once

#include <string_view>
#include <vector>

#include "unmask/synthetic/example_study.h"

namespace unmask::calibration {

/// Size of a study's cells: tasks x trials.
struct Design {
  int tasks = 0;
  int trials = 0;
  bool full = false;  ///< the size of the paper's cells, at which coverage is bounded
};
inline constexpr Design kDesigns[] = {{114, 4, true}, {50, 4, false}, {20, 1, false}};

/// Call rates of the reference at which coverage is measured.
inline constexpr double kCallRates[] = {0.02, 0.20, 0.38};

/// A cell for coverage: telecom, the reference at `call_rate` errors a call, an arm that is the
/// same, and an amplified one: 2.5 times the errors an episode at 2 %, 38 % of the calls at 20 %
/// (the paper's headline), 1.5 times the errors at 38 % (the budget of 10 leaves room for little
/// more).
[[nodiscard]] synthetic::StudyCell coverage_cell(double call_rate);
inline constexpr std::string_view kSame = "same";
inline constexpr std::string_view kAmplified = "amplified";

/// Ten cells whose two arms are both the reference again: telecom and retail from 0.3 to 38 % of
/// the calls, two of them with slips or successes in few tasks.
[[nodiscard]] std::vector<synthetic::StudyCell> null_cells();

/// null_cells() with the paper's pattern in the second arm of the first cell.
[[nodiscard]] std::vector<synthetic::StudyCell> headline_cells();

/// `cells` with `design`'s numbers of tasks and trials.
[[nodiscard]] std::vector<synthetic::StudyCell> sized(std::vector<synthetic::StudyCell> cells,
                                                      const Design& design);

}  // namespace unmask::calibration
