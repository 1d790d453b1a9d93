#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// Above this share of contradicting episodes E is not the harness's counter (STATISTICS, "Units").
inline constexpr double kContradictionWarningShare = 0.005;

/// A larger max_errors is no budget: no episode of a benchmark can use it up.
inline constexpr int kLargestBudget = 1'000;

/// The error budget under which a log was really made (DESIGN, "What history did to logs").
/// Episodes decide over the header, whose max_errors may be stale after a resume:
/// - an episode that ended through too_many_errors says that the budget was enforced and that K is
///   at most its count; the header's K stands if it fits all of them, else the smallest count;
/// - without such an episode, one that went on past the header's K says that it was not enforced;
/// - else the harness decides: tau2-bench up to 0.2.1 (before 2025-11-10) never incremented its
///   counter, later ones enforce;
/// - else `known` is false and the header's K is taken as enforced, under which S(K) is right for
///   K up to it whatever the truth.
/// `episodes` are those of one log, without their tasks' message history; excluded ones are passed
/// over.
[[nodiscard]] BudgetRegime infer_regime(const LogHeader& header,
                                        std::span<const EpisodeFacts> episodes);

/// The regime of an arm made of several logs: the smallest enforced budget; known if all are.
/// Different counted parties become `both`. One log: that log's own.
[[nodiscard]] BudgetRegime combine_regimes(std::span<const BudgetRegime> regimes);

/// K_obs of an arm: the budget at which its episodes were really stopped; empty = infinity.
[[nodiscard]] std::optional<int> observed_budget(const BudgetRegime& regime);
/// K_obs of a comparison: the smaller one.
[[nodiscard]] std::optional<int> observed_budget(const BudgetRegime& first,
                                                 const BudgetRegime& second);
/// The budget that stands for K_obs in tables and in widening: K_obs, or 10 for infinity.
[[nodiscard]] int shown_budget(std::optional<int> observed);

/// Episodes that can't have happened under the regime: successful with at least K_obs errors.
struct BudgetContradictions {
  std::uint32_t contradicting = 0;
  std::uint32_t episodes = 0;  ///< observed ones

  [[nodiscard]] bool warning() const {
    return contradicting > kContradictionWarningShare * episodes;
  }
  bool operator==(const BudgetContradictions&) const = default;
};
[[nodiscard]] BudgetContradictions budget_contradictions(std::span<const EpisodeFacts> episodes,
                                                         const BudgetRegime& regime);

}  // namespace unmask
