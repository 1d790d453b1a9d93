#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "unmask/episode/scored_decision.h"

namespace unmask::margins {

/// Which options a margin sets against all others.
enum class MarginSide : std::uint8_t {
  admissible,  ///< the admissible ones
  golden,      ///< the one that a perfect run takes: the correct-token margin
};

/// m of STATISTICS (Margins): the best log-probability on `side` less the best on the other, in
/// nats; above 0 the decision is good. Absent where an arm has no scores, one side has no option,
/// or the best of a side is only known not to exceed a bound that the other side does not clear.
/// Precondition: arm < decision.arms.size().
[[nodiscard]] std::optional<double> margin_of(const ScoredDecision& decision, std::size_t arm,
                                              MarginSide side = MarginSide::admissible);

/// Why margin_of has nothing: the scores' fault in its word, else `not_scored`, `one_sided` (no
/// option on a side), `bound`, `not_finite`; empty where it has a margin. Preconditions as above.
[[nodiscard]] std::string why_no_margin(const ScoredDecision& decision, std::size_t arm,
                                        MarginSide side = MarginSide::admissible);

/// Probability of the inadmissible options among all options of the decision at `temperature`
/// (STATISTICS, Margins; within [0, 1]). Absent where there are no scores, some are only bounds, or
/// the decision was not scored at that temperature. Precondition as above; temperature > 0.
[[nodiscard]] std::optional<double> inadmissible_mass(const ScoredDecision& decision,
                                                      std::size_t arm, double temperature);

}  // namespace unmask::margins
