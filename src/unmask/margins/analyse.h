#pragma once

#include "unmask/episode/scored_decision.h"
#include "unmask/margins/findings.h"

namespace unmask::margins {

/// Every figure of STATISTICS, "Margins", for each arm beside the reference: by kind of decision,
/// and for tool names also by provenance of the tempting name. Deterministic; what can't be had
/// carries a reason. Decisions whose `arms` are not as many as the arms are a bug of the caller.
[[nodiscard]] MarginFindings analyse(const ScoredDecisions& scored,
                                     const MarginSettings& settings = {});

}  // namespace unmask::margins
