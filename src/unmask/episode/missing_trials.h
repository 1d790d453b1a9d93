#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// A task of which a log has fewer trials than its header promises.
struct LackingTask {
  std::string task_id;
  std::set<int> recorded;  ///< numbers of the trials that it has
  int lacking = 0;         ///< >= 1

  bool operator==(const LackingTask&) const = default;
};

/// Trials that a log's header promises and nobody recorded, not even as a crash.
struct MissingTrials {
  std::uint64_t tasks = 0;  ///< of the header and of the episodes, each once
  /// Tasks of the header (or, if it lists none, of the episodes) x trials, where it says how many.
  std::optional<std::uint64_t> promised;
  std::uint64_t count = 0;
  /// Where they are missing, in the tasks' order. Empty where some episodes do not name a task of
  /// the header: they are some of its trials, and nobody can tell which.
  std::vector<LackingTask> lacking;
  int first_trial = 1;  ///< number of a task's first trial: 0, or 1 where no task has a trial 0

  bool operator==(const MissingTrials&) const = default;
};

/// `arm` are the rows of this log alone. Trials of the same number count once.
[[nodiscard]] MissingTrials missing_trials(const LogHeader& header, const ArmFacts& arm);

}  // namespace unmask
