#pragma once

#include <string_view>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/json_values.h"

namespace unmask::json_report {

/// One arm against the cell's reference.
[[nodiscard]] Json comparison(const ComparisonFindings& comparison, const CellFindings& cell,
                              double margin);

/// Ratios by channel.
[[nodiscard]] Json amplification(const std::vector<AmplificationFindings>& channels);
/// The same keys of split halves, which have ratios and no more.
[[nodiscard]] Json split_ratios(const std::vector<AmplificationFindings>& channels);

/// Gap in points by budget.
[[nodiscard]] Json gaps(const std::vector<GapPoint>& gaps);

/// A repaired arm against its unrepaired one.
[[nodiscard]] Json repair(const RepairFindings& repair, std::string_view cell);

/// What a repair held back.
[[nodiscard]] Json intercepted(const InterceptedFindings& found);

/// First calls at the states of perfect runs.
[[nodiscard]] Json single_turn(const SingleTurnFindings& found);

}  // namespace unmask::json_report
