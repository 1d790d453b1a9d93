#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "unmask/stats/figure.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {

/// Which interval a rate gets (STATISTICS, "Rates").
enum class IntervalKind {
  korn_graubard,  ///< share of calls
  wilson,         ///< share of episodes
  plain_t,        ///< mean that is no share: errors an episode, errors a successful call, tokens
};

/// R = sum A / sum B over tasks, with its design.
struct Rate {
  Estimate estimate;
  double numerator = 0.0;                ///< sum A
  double denominator = 0.0;              ///< sum B
  std::size_t tasks_with_numerator = 0;  ///< tasks with A > 0
  /// Effective number of observations, R(1-R)/Var; n where R is 0 or 1 or Var = 0. Only for shares.
  /// May exceed sum B a little where tasks differ less than chance; korn_graubard caps what it
  /// uses.
  std::optional<double> n_eff;
  /// Design effect Var/(R(1-R)/sum B), at least 1. Only for shares strictly between 0 and 1.
  std::optional<double> deff;
  bool few_clusters = false;  ///< see few_clusters()

  bool operator==(const Rate&) const = default;
};

/// Ratio of sums with the linearised standard error: u_i = (A_i - R B_i)/sum B,
/// Var = n/(n-1) sum u_i^2. Every task counts towards n, also one with B_i = 0.
struct RatioOfSums {
  std::optional<double> value;  ///< empty if sum B is 0
  std::optional<double> se;     ///< empty if value is, or with fewer than two tasks
};
[[nodiscard]] RatioOfSums ratio_of_sums(std::span<const TaskTotal> tasks);

/// The rate with the interval and one-sided bounds of `kind`. STATISTICS, "Rates".
/// Null with reason: no tasks, sum B = 0; no interval with one task, fewer than two observations
/// (korn_graubard), a share above 1, or without spread (plain_t).
[[nodiscard]] Rate rate(std::span<const TaskTotal> tasks, IntervalKind kind);

/// True if the note 'few clusters: true coverage may be below 90 %' is due: fewer than 30 tasks, or
/// fewer than 10 with an error.
[[nodiscard]] bool few_clusters(std::size_t tasks, std::size_t tasks_with_errors);

/// Interval and bounds of a share by Wilson at the effective number of observations, t_{n-1} for z.
/// `value` in [0, 1], `se` >= 0, `tasks` >= 2. Shared by rate, score and pass^k.
[[nodiscard]] Estimate share_estimate(double value, double se, std::size_t tasks);

/// value(1-value)/se^2; `tasks` where value is 0 or 1 or se is 0.
[[nodiscard]] double effective_observations(double value, double se, std::size_t tasks);

/// Plain mean +- t_{n-1} se with one-sided bounds; null interval without spread or with one task.
[[nodiscard]] Estimate mean_estimate(double value, std::optional<double> se, std::size_t tasks);

/// R_arm - R_ref of two rates on the same tasks; Var = n/(n-1) sum (u_arm,i - u_ref,i)^2, t
/// interval. Positive = the arm has more. STATISTICS, "Differences": stands in for the ratio where
/// that can't be had. Null with reason if a denominator sum is 0 or there is no task.
[[nodiscard]] Estimate rate_difference(std::span<const TaskPair> tasks);

}  // namespace unmask::stats
