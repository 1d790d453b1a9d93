#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace unmask::stats {

/// Below it a standard error is rounding noise and counts as 0 (STATISTICS, "Numbers that can't be
/// had").
inline constexpr double kSmallestSe = 1e-12;

/// Reasons that several figures share. Free text for people; no code compares them.
inline constexpr const char* kNoTasks = "no tasks";
inline constexpr const char* kOneTask = "one task: no variance";
inline constexpr const char* kNoSpread = "no spread between tasks";
inline constexpr const char* kEmptyDenominator = "nothing to divide by: the denominator is 0";

/// A number with its two-sided 95 % interval, or the reason why it can't be had. What can't be had
/// is empty, never 0, NaN or infinity; `reason` is empty exactly if value, low and high are there.
/// A value without an interval keeps its value and says in `reason` why there is no interval.
struct Figure {
  std::optional<double> value;
  std::optional<double> low;
  std::optional<double> high;
  std::string reason;

  bool operator==(const Figure&) const = default;
};

/// A figure that can't be had at all.
[[nodiscard]] inline Figure missing(std::string reason) {
  return {std::nullopt, std::nullopt, std::nullopt, std::move(reason)};
}

/// A number whose interval can't be had.
[[nodiscard]] inline Figure without_interval(double value, std::string reason) {
  return {value, std::nullopt, std::nullopt, std::move(reason)};
}

/// A figure with what decisions need beside it.
struct Estimate {
  Figure figure;
  std::optional<double> se;           ///< Standard error, >= 0; 0 if below kSmallestSe.
  std::optional<double> lower_bound;  ///< One-sided 95 % bound: P(truth < it) <= 5 %.
  std::optional<double> upper_bound;  ///< One-sided 95 % bound: P(truth > it) <= 5 %.
  std::size_t tasks = 0;              ///< n, the clusters; n - 1 degrees of freedom.

  bool operator==(const Estimate&) const = default;
};

}  // namespace unmask::stats
