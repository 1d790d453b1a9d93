#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

#include "unmask/diagnose/diagnose.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"

namespace unmask {

/// Where an arm's tasks stand, by id, so that a long log is read in linear time. Of one arm.
class TaskIndex {
 public:
  struct Entry {
    std::uint32_t task = 0;  ///< index into `ArmFacts::tasks`
    int rows = 0;            ///< episodes that were appended through this index
  };
  /// The task `id`; one that `arm.tasks` lacks is appended with its id as key. Of tasks with the
  /// same id it is the first.
  Entry& of(const std::string& id, ArmFacts& arm);

 private:
  std::unordered_map<std::string, Entry> by_id_;
  std::size_t indexed_ = 0;  ///< tasks of the arm that are in by_id_
};

/// Appends the text-free row of `episode` to `arm`, interning names, kinds and the task (found in
/// `tasks`, which must be the arm's own). Calls of the task's history are dropped. Success:
/// |reward - 1| <= 1e-6. Excluded: `infrastructure` (ended by it, or crashed with a note of it),
/// else `no_reward`. An episode without a trial number gets the number of earlier episodes of its
/// task. `diagnoses` has one entry per call.
void to_facts(const Episode& episode, std::span<const CallDiagnosis> diagnoses, ArmFacts& arm,
              TaskIndex& tasks);

}  // namespace unmask
