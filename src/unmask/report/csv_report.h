#pragma once

#include <string>

#include "unmask/audit/findings.h"

namespace unmask {

/// The audit as a tidy table, one row a cell x arm x measure: columns cell, arm, measure, channel,
/// k, value, low, high, p, p_adjusted, reason. Shares and rates are fractions; measures that end in
/// `_points` are points. An empty value has a reason. The verdict is the row whose measure is
/// `verdict_` and its name; its value is 1 and its reason the sentence.
[[nodiscard]] std::string audit_csv(const AuditFindings& findings);

}  // namespace unmask
