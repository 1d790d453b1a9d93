#pragma once

#include <optional>
#include <span>
#include <vector>

#include "unmask/margins/findings.h"
#include "unmask/margins/paired_group.h"

namespace unmask::margins {

/// Ten groups of as nearly as possible the same number of decisions, by m_ref: what was predicted
/// (`probability`, parallel to the group's decisions) beside what flipped. Needs 20 decisions.
[[nodiscard]] Calibration calibration(const PairedGroup& group,
                                      std::span<const std::optional<double>> probability);

/// Margins of the reference by what became of the decisions: some twenty bins of a round width,
/// with a border at 0, over all but the outermost hundredth of the margins on each side. None
/// without decisions.
[[nodiscard]] std::vector<HistogramBin> margin_histogram(const PairedGroup& group);

}  // namespace unmask::margins
