#pragma once

#include <string>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/text_style.h"

namespace unmask::text {

/// First calls at the states of perfect runs: what they were in each arm, and the difference of
/// arms beside the loop's. Empty where there are none.
[[nodiscard]] std::vector<Fact> single_turn_facts(const CellFindings& cell, const TextStyle& style);

/// The single-turn view of a whole study: right answers of each arm and its reference, gap and
/// ratio of hallucinated names, each beside the loop's. Empty where there are no first calls.
[[nodiscard]] std::vector<std::string> single_turn_lines(const AuditFindings& findings,
                                                         const TextStyle& style);

}  // namespace unmask::text
