#pragma once

#include <span>

#include "unmask/base/error.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_progress.h"
#include "unmask/run/runner.h"
#include "unmask/store/run_store.h"

namespace unmask::run {

/// Plays units without models behind endpoints, whole episodes on `settings.threads` threads, and
/// stores each when it has ended; one that the store has unfinished is played from its beginning,
/// since it costs nothing. The calling thread writes. An episode's times are those of a clock that
/// stands at 1970, so that the same study gives the same logs.
/// Errors: those of the store; what is stored by then stays.
[[nodiscard]] Result<RunEnd> play_local(const RunPlan& plan, std::span<const PlannedUnit> units,
                                        store::RunStore& store, const RunnerSettings& settings,
                                        const RunnerHooks& hooks, RunProgress& progress);

}  // namespace unmask::run
