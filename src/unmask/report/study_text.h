#pragma once

#include <string>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/text_style.h"

namespace unmask::text {

/// "10 cells, 20 comparisons: 1 masked damage, 17 clean, 2 inconclusive".
[[nodiscard]] std::string verdict_counts(const AuditFindings& findings, const TextStyle& style);

/// The study at a glance: verdict, gap at K_obs and at the first budget, and the worst channel of
/// each arm of each cell. Arms stand side by side if there is room, else one a row.
[[nodiscard]] std::vector<std::string> overview_lines(const AuditFindings& findings,
                                                      const TextStyle& style);

/// Findings over cells, as sentences.
[[nodiscard]] std::vector<Fact> study_facts(const StudyFindings& study, const TextStyle& style);
/// The same for a terminal.
[[nodiscard]] std::vector<std::string> study_lines(const AuditFindings& findings,
                                                   const TextStyle& style);

/// Remarks about the input, grouped by code: how often, and the first with file and place.
[[nodiscard]] std::vector<std::string> warning_lines(const Diagnostics& diagnostics,
                                                     const TextStyle& style);

}  // namespace unmask::text
