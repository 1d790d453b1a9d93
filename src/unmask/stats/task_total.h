#pragma once

namespace unmask::stats {

/// What one arm has in one task: a numerator (errors, solved trials, tokens ...) over a denominator
/// (episodes, calls, trials ...). Counts are whole numbers below 2^53, which a double holds
/// exactly. The task is the cluster of every standard error here (STATISTICS, "Units").
struct TaskTotal {
  double numerator = 0.0;
  double denominator = 0.0;  ///< >= 0

  bool operator==(const TaskTotal&) const = default;
};

/// The same task in the two arms of a comparison. Tasks that only one arm has are left out by the
/// caller and counted there.
struct TaskPair {
  TaskTotal reference;
  TaskTotal arm;

  bool operator==(const TaskPair&) const = default;
};

}  // namespace unmask::stats
