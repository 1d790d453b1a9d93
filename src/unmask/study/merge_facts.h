#pragma once

#include <string>

#include "unmask/base/diagnostics.h"
#include "unmask/episode/facts.h"

namespace unmask {

/// Appends `more`'s rows to `arm`: names, kinds and tasks are renumbered. A task and trial that
/// `arm` has already counts as read last, with a diagnostic, unless `append_trials`: then it gets
/// the next free trial number of its task.
void merge_facts(ArmFacts& arm, const ArmFacts& more, bool append_trials, const std::string& file,
                 Diagnostics& diagnostics);

}  // namespace unmask
