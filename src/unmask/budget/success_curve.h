#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "unmask/budget/budget_semantics.h"
#include "unmask/budget/counterfactual.h"
#include "unmask/budget/stop_profile.h"
#include "unmask/episode/facts.h"

namespace unmask {

/// Budgets shown for an uncensored log, whose curve has no end of its own.
inline constexpr int kShownBudgets = 10;

/// What trials that are no observation (excluded, or promised and never recorded) count as.
enum class VanishedAs : std::uint8_t {
  left_out,  ///< the score's definition
  failed,    ///< lower bound
  passed,    ///< upper bound
};
[[nodiscard]] std::string_view name_of(VanishedAs vanished);

/// How successful writes outside a task's golden actions count (docs/budget.md, "The consequence
/// budget").
enum class StrayWrites : std::uint8_t {
  passed_over,  ///< the score's definition
  known_only,   ///< episodes whose writes are not known are left out; what `end_episode` is set
                ///< beside
  end_episode,  ///< of these, an episode fails at its first one
};

/// One end of a band: unknown episodes failed, or passed.
enum class BandEnd : std::uint8_t { low, high };

struct CurveOptions {
  BudgetSemantics semantics;
  int last_budget = kShownBudgets;  ///< the curve covers K = 1 .. last_budget; at least 1
  VanishedAs vanished = VanishedAs::left_out;
  /// Trials that the log's header promises for each task; fewer recorded ones are vanished trials.
  std::optional<int> trials_promised;
  std::optional<ErrorSelector> ignored;  ///< failures not counted (attribution)
  StrayWrites stray_writes = StrayWrites::passed_over;
};

/// A task's trials and how many of them succeed at each budget.
struct TaskCurve {
  std::uint32_t task = 0;                  ///< in ArmFacts::tasks
  std::uint32_t trials = 0;                ///< m_i; at least 1
  std::vector<std::uint32_t> passed_low;   ///< [K-1]: unknown episodes counted failed
  std::vector<std::uint32_t> passed_high;  ///< [K-1]: unknown episodes counted passed

  [[nodiscard]] std::uint32_t passed(int budget, BandEnd end) const;

  bool operator==(const TaskCurve&) const = default;
};

/// S(K) of an arm as integers: everything that scores, gaps, widenings and pass^k are made of.
struct SuccessCurve {
  BudgetSemantics semantics;
  int last_budget = 0;
  std::vector<TaskCurve> tasks;  ///< with at least one trial, in ArmFacts order
  std::uint32_t episodes = 0;    ///< sum of trials
  std::uint32_t vanished = 0;    ///< trials that are no observation, whatever they count as

  bool operator==(const SuccessCurve&) const = default;
};

/// Counts the successes of each task of `arm` at each budget. Source: STATISTICS, "Score".
[[nodiscard]] SuccessCurve success_curve(const ArmFacts& arm, const CurveOptions& options = {});

/// A figure that unknown episodes leave open; `low` = `high` where it is exact. Fractions, 0 .. 1.
struct Band {
  double low = 0.0;
  double high = 0.0;

  [[nodiscard]] bool exact() const { return low == high; }
  bool operator==(const Band&) const = default;
};

/// S(K): the mean over tasks of the share of trials that succeed; empty without tasks.
/// `budget` must lie in 1 .. last_budget.
[[nodiscard]] std::optional<Band> score(const SuccessCurve& curve, int budget);
/// The mean over episodes, which benchmarks print; empty without episodes.
[[nodiscard]] std::optional<Band> episode_score(const SuccessCurve& curve, int budget);

/// A task's trials and successes at one budget: the input of pass^k.
struct TrialCount {
  std::uint32_t task = 0;  ///< in ArmFacts::tasks
  std::uint32_t trials = 0;
  std::uint32_t successes = 0;

  bool operator==(const TrialCount&) const = default;
};
/// In the order of `curve.tasks`; `budget` must lie in 1 .. last_budget.
[[nodiscard]] std::vector<TrialCount> trial_counts(const SuccessCurve& curve, int budget,
                                                   BandEnd end = BandEnd::low);

}  // namespace unmask
