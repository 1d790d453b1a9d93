#pragma once

#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/comparison_facts.h"

namespace unmask::text {

/// What is to be known of the cell's arms whatever the verdict: what was not held equal, episodes
/// that are missing, stopped or contradict the budget, the simulated user's failures, the noise
/// floor.
[[nodiscard]] std::vector<Fact> cell_facts(const CellFindings& cell, const TextStyle& style);

/// A repaired arm against its unrepaired one.
[[nodiscard]] std::vector<Fact> repair_facts(const RepairFindings& repair, const TextStyle& style);

}  // namespace unmask::text
