#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace unmask::stats {

/// How often an episode failed with a name (tool-name channel: the name called; others: tool and
/// kind of error). Names and tasks are ids shared by both arms, 0 .. limit-1; episodes are ids
/// within an arm, each of one task.
struct NameRow {
  std::uint32_t task = 0;
  std::uint32_t episode = 0;
  std::uint32_t name = 0;
  std::int64_t count = 0;  ///< >= 1; rows of the same episode and name add up

  bool operator==(const NameRow&) const = default;
};

/// The failures of one channel in the two arms of a comparison, on shared tasks. Rows in any order;
/// sums do not depend on it. To look at one provenance, or net of names that the policy or the
/// other party's tool box supplies, leave the other rows out.
struct NameTable {
  std::size_t tasks = 0;  ///< shared tasks, also those without errors
  std::size_t names = 0;
  std::span<const NameRow> reference;
  std::span<const NameRow> arm;
  /// Trials of each task in each arm, also those without errors: `tasks` long. Only label swaps
  /// (noise_ceiling, failure_set) need them.
  std::span<const std::uint32_t> reference_trials;
  std::span<const std::uint32_t> arm_trials;
};

/// Counts by name of one arm, `names` long.
[[nodiscard]] std::vector<double> totals_by_name(std::span<const NameRow> rows, std::size_t names);
/// Counts by task of one arm, `tasks` long.
[[nodiscard]] std::vector<double> totals_by_task(std::span<const NameRow> rows, std::size_t tasks);

/// A name within a task.
struct TaskName {
  std::uint32_t name = 0;
  double reference = 0.0;              ///< errors of the reference
  double arm = 0.0;                    ///< errors of the arm
  std::size_t reference_episodes = 0;  ///< episodes of the reference that failed with it

  bool operator==(const TaskName&) const = default;
};

/// The names of each task that either arm failed with, by rising id.
[[nodiscard]] std::vector<std::vector<TaskName>> names_by_task(const NameTable& table);

}  // namespace unmask::stats
