#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unmask/episode/scored_decision.h"
#include "unmask/stats/figure.h"

namespace unmask::screen {

/// What a precision does to margins, in nats: m_arm = m_ref + e, e normal.
struct MarginNoise {
  std::string label;        ///< `q4_0`; shown
  double sigma = 0.0;       ///< SD of e; > 0
  double bias = 0.0;        ///< mean of e
  std::string measured_in;  ///< where; empty: the user's assumption

  bool operator==(const MarginNoise&) const = default;
};

/// A share of decisions that go wrong: in the arm as scored, under the noise, and their ratio, the
/// predicted amplification.
struct PredictedShare {
  stats::Figure now, predicted, amplification;

  bool operator==(const PredictedShare&) const = default;
};

/// The decisions of one kind, or all.
struct MarginKindScreen {
  std::string kind;             ///< `all`, or name_of(DecisionKind)
  std::uint64_t decisions = 0;  ///< with a margin
  std::uint64_t left_out = 0;   ///< without one: nothing inadmissible to choose, not scored, bounds
  std::uint32_t tasks = 0;
  /// The likeliest option is inadmissible: m <= 0; under noise the mean of Phi(-(m + bias)/sigma).
  PredictedShare greedy;
  /// The inadmissible mass at temperature 1; under noise its mean over e on the log-odds, of the
  /// decisions that have it.
  PredictedShare sampled;

  bool operator==(const MarginKindScreen&) const = default;
};

struct MarginScreen {
  MarginNoise noise;
  std::vector<MarginKindScreen> kinds;  ///< `all`, then the kinds that occur

  bool operator==(const MarginScreen&) const = default;
};

/// Predicts from one arm's scored decisions, the reference's by default, what each of `noises`
/// would do. Intervals are clustered by task. The contexts are the arm's own: figures speak of the
/// first deviation, not of what follows it. STATISTICS, "Margins" and "Risk screen".
/// Precondition: every sigma > 0; `arm` is an arm of `scored` unless that has no decisions.
[[nodiscard]] std::vector<MarginScreen> screen_margins(const ScoredDecisions& scored,
                                                       std::span<const MarginNoise> noises,
                                                       std::size_t arm = 0);

/// E[1 / (1 + exp(l + e))] for e ~ N(bias, sigma): the inadmissible mass under noise of a decision
/// whose log-odds of an admissible option are `l` (may be infinite). sigma > 0.
[[nodiscard]] double mass_under_noise(double log_odds, double sigma, double bias);

}  // namespace unmask::screen
