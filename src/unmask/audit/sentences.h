#pragma once

#include <string>
#include <vector>

#include "unmask/audit/findings.h"

namespace unmask {

/// The verdict of an arm in one sentence with its numbers, for a person.
[[nodiscard]] std::string verdict_sentence(const ComparisonFindings& findings);

/// What made the verdict, one sentence a condition that holds.
[[nodiscard]] std::vector<std::string> verdict_reasons(const ComparisonFindings& findings,
                                                       const AuditSettings& settings);

/// Why the arm is not clean and has no finding either: conditions that failed, each with the number
/// of tasks that would settle it at the same spread.
[[nodiscard]] std::vector<OpenCondition> open_conditions(const ComparisonFindings& findings,
                                                         const ScoreEvidence& score,
                                                         const AuditSettings& settings);

/// `2.5`, with as many digits as everywhere: two decimals below 2, where 1.25 matters.
[[nodiscard]] std::string ratio_text(double ratio);
/// `16.7`: a fraction in points, one decimal.
[[nodiscard]] std::string points_text(double fraction);

}  // namespace unmask
