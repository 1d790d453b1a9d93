#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "unmask/base/error.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/episode/scored_decision.h"

namespace unmask::decisions {

/// One arm that gives log-probabilities to the options of recorded decisions.
class Scorer {
 public:
  Scorer() = default;
  Scorer(const Scorer&) = delete;
  Scorer& operator=(const Scorer&) = delete;
  virtual ~Scorer();

  [[nodiscard]] virtual ScoredArm arm() const = 0;

  /// Scores each context and calls `done(index, scores)` once for it, in any order, as soon as it
  /// is known; what can't be scored has its reason in ArmScores::fault. Contexts of one episode
  /// stand together, so that a scorer shares what they begin with. Errors: interrupted, when
  /// `goes_on` says no (what was done stays done); outside, when the arm can't be asked at all.
  [[nodiscard]] virtual Result<void> score(std::span<const DecisionContext> contexts,
                                           const std::function<void(std::size_t, ArmScores)>& done,
                                           const std::function<bool()>& goes_on) = 0;
};

}  // namespace unmask::decisions
