#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "unmask/stats/figure.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {

/// A channel is tested only if this many shared tasks have an error in it in either arm.
inline constexpr std::size_t kTestedTasks = 8;

/// RR = R_arm/R_ref of two rates on shared tasks.
struct Amplification {
  /// The ratio, exp(ln RR +- t_{n-1} SE_J). Null with reason (value too) where a total is 0, one
  /// task holds all of an arm's errors, or there are fewer than two tasks.
  Estimate ratio;
  /// ln RR and its delete-a-task jackknife standard error; empty where `ratio` is.
  std::optional<double> ln_ratio;
  std::optional<double> se_ln;
  /// R_arm/R_ref without any claim about its error; empty only if it can't be computed
  /// (R_ref = 0 or a denominator sum is 0). For sentences and verdicts where `ratio` is null.
  std::optional<double> plain_ratio;
  /// R_arm - R_ref with its interval: stands where the ratio can't be had.
  Estimate difference;
  std::size_t tasks_with_errors = 0;  ///< tasks with an error in either arm

  /// Enough tasks with errors for a test (kTestedTasks).
  [[nodiscard]] bool tested() const { return tasks_with_errors >= kTestedTasks; }

  bool operator==(const Amplification&) const = default;
};

/// `ratio.se` is the standard error of ln RR. Without spread (identical or proportional arms) the
/// interval collapses to the ratio itself. STATISTICS, "Differences": amplification.
[[nodiscard]] Amplification amplification(std::span<const TaskPair> tasks);

}  // namespace unmask::stats
