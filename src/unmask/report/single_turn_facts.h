#pragma once

#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/text_style.h"

namespace unmask::text {

/// First calls at the states of perfect runs: what they were in each arm, and the difference of
/// arms beside the loop's. Empty where there are none.
[[nodiscard]] std::vector<Fact> single_turn_facts(const CellFindings& cell, const TextStyle& style);

}  // namespace unmask::text
