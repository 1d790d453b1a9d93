#pragma once

#include <memory>
#include <span>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/run/model.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_progress.h"
#include "unmask/run/runner.h"
#include "unmask/store/run_store.h"

namespace unmask::run {

/// Plays units that models behind endpoints take part in, many at once on the calling thread:
/// answers are given to their episodes, all new turns go to the store in one transaction, and only
/// then are the next questions asked, so that a paid turn is never lost. As many episodes are alive
/// as their endpoints' concurrency allows. Units that the store has unfinished are continued.
///
/// An endpoint whose requests keep failing is paused (EndpointHealth) and its episodes wait; others
/// go on. When it is given up, they end as infrastructure errors and its further units are left
/// out.
///
/// `models`: of the study's endpoints, in order. Errors: those of the store; bad_input where a
/// recorded episode can't be continued. What is stored by then stays.
[[nodiscard]] Result<RunEnd> play_remote(const RunPlan& plan, std::span<const PlannedUnit> units,
                                         store::RunStore& store,
                                         std::span<const std::unique_ptr<Model>> models,
                                         const RunnerSettings& settings, const RunnerHooks& hooks,
                                         RunProgress& progress);

}  // namespace unmask::run
