#pragma once

#include <span>

#include "unmask/diagnose/diagnose.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"

namespace unmask {

/// Appends the text-free row of `episode` to `arm`, interning names, kinds and the task (found by
/// its id; a task that `arm.tasks` lacks is appended with its id as key). Calls of the task's
/// history are dropped. Success: |reward - 1| <= 1e-6. Excluded: `infrastructure` (ended by it, or
/// crashed with a note of it), else `no_reward`. An episode without a trial number gets the number
/// of earlier episodes of its task. `diagnoses` has one entry per call.
void to_facts(const Episode& episode, std::span<const CallDiagnosis> diagnoses, ArmFacts& arm);

}  // namespace unmask
