#pragma once

#include <cstddef>
#include <optional>

#include "unmask/episode/scored_decision.h"
#include "unmask/margins/findings.h"

namespace unmask::margins {

/// The `listed` decisions and names that carry most of the damage of an arm: rise in inadmissible
/// mass at T = 1, then flips of decisions without one. A decision is listed only if its mass rises
/// or it flips from good to bad, a name only if its probability rises or something flips to it.
[[nodiscard]] Carriers carriers(const ScoredDecisions& scored, std::size_t arm, std::size_t listed);

/// Index of the likeliest option of `decision` under `arm` that is admissible (or is not), bounds
/// left out; the first of equals. Empty where there is none.
[[nodiscard]] std::optional<std::size_t> likeliest(const ScoredDecision& decision, std::size_t arm,
                                                   bool admissible);

}  // namespace unmask::margins
