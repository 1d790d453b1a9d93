#pragma once

#include <string>
#include <vector>

#include "unmask/run/run_study.h"

namespace unmask::run {

/// What forbids to continue a run of `before` with the study `now`, a sentence each; empty: it may
/// go on. Allowed are more trials, tasks, arms and cells, and all that only says how an endpoint is
/// reached (address, key's variable, concurrency, time-outs, retries, streaming) or what is
/// displayed or kept. That tasks are the same is for the store to check, by their texts.
[[nodiscard]] std::vector<std::string> forbidden_changes(const RunStudy& before,
                                                         const RunStudy& now);

}  // namespace unmask::run
