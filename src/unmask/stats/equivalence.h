#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "unmask/stats/interval.h"

namespace unmask::stats {

inline constexpr double kEquivalenceMargin = 0.075;  ///< 7.5 points
inline constexpr std::size_t kEquivalenceTasks = 8;  ///< differing tasks for a t-test

/// Two one-sided tests of |mean d| < margin, d positive = the arm is worse.
struct Equivalence {
  enum class Method { none, t, binomial };
  Method method = Method::none;  ///< none: see `reason`
  std::size_t tasks = 0;
  std::size_t worse = 0;   ///< tasks with d_i > 0
  std::size_t better = 0;  ///< tasks with d_i < 0
  double margin = 0.0;
  double alpha = 0.05;
  std::optional<double> p_upper;       ///< of D >= margin: small = not worse by the margin
  std::optional<double> p_lower;       ///< of D <= -margin: small = not better by the margin
  std::optional<double> p;             ///< the larger of both
  std::optional<Interval> interval90;  ///< (1 - 2 alpha) t interval; only with Method::t
  std::string reason;

  [[nodiscard]] bool equivalent() const { return p.has_value() && *p < alpha; }
  [[nodiscard]] bool non_inferior() const { return p_upper.has_value() && *p_upper < alpha; }

  bool operator==(const Equivalence&) const = default;
};

/// Equivalence of paired task differences at `margin` > 0 (same unit as d). If at least 8 tasks
/// differ: two one-sided t-tests (Schuirmann 1987). Else, or without spread, the guarded version:
/// p_upper = P(Bin(n, margin) <= worse), p_lower = P(Bin(n, margin) <= better); never from SE = 0.
/// Null with reason for no task. STATISTICS, "Differences": equivalence.
[[nodiscard]] Equivalence equivalence(std::span<const double> differences,
                                      double margin = kEquivalenceMargin, double alpha = 0.05);

/// Tasks at which the guarded version would show equivalence if tasks went on to differ in the one
/// direction as often as here, rounded against equivalence: the least n' > n with P(Bin(n', margin)
/// <= ceil(x n'/n)) < alpha, x = the larger of `worse` and `better`. Empty for another method, and
/// where no number of tasks helps (x/n is not below the margin) or only more than kMostTasksNeeded.
[[nodiscard]] std::optional<std::size_t> guarded_tasks_needed(const Equivalence& equivalence);
inline constexpr std::size_t kMostTasksNeeded = 20'000;

/// The t version from an estimate and its standard error (se > 0), df > 0. `tasks`, `worse` and
/// `better` of the result stay 0.
[[nodiscard]] Equivalence equivalence_t(double estimate, double se, double df, double margin,
                                        double alpha = 0.05);

}  // namespace unmask::stats
