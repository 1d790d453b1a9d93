#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unmask/episode/scored_decision.h"
#include "unmask/margins/findings.h"
#include "unmask/margins/paired_group.h"

namespace unmask::margins {

/// Mean inadmissible mass of both arms and their ratio, at 1 and at every other temperature that
/// both have scored, over `decisions` (indices) that have it in both. Ratio: interval as of an
/// amplification.
[[nodiscard]] std::vector<MassFindings> mass_findings(const ScoredDecisions& scored,
                                                      std::size_t arm,
                                                      std::span<const std::uint32_t> decisions);

/// Decisions with an inadmissible option on top in either arm, and their ratio. A tie is
/// inadmissible.
[[nodiscard]] TopChoiceFindings top_choices(const PairedGroup& group);

}  // namespace unmask::margins
