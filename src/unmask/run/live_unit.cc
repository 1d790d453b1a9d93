#include "unmask/run/live_unit.h"

#include <memory>
#include <utility>

#include "unmask/base/clock.h"
#include "unmask/repair/repair_mode.h"
#include "unmask/run/cast.h"
#include "unmask/run/cell_world.h"
#include "unmask/run/first_call_unit.h"
#include "unmask/run/live_episode.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_study.h"
#include "unmask/world/outcome.h"

namespace unmask::run {

std::unique_ptr<LiveUnit> make_unit(const RunPlan& plan, const PlannedUnit& unit,
                                    const Clock& clock) {
  const CellWorld& world = plan.worlds[unit.cell];
  Casting casting = plan.casting(unit.cell, unit.arm);
  casting.golden_action = unit.state;
  world::Outcome<Cast> cast = cast_of(casting, plan.task(unit), plan.seed(unit));
  if (unit.state) {
    return std::make_unique<FirstCallUnit>(
        FirstCallParts{.world = &world,
                       .task = plan.task(unit).task,
                       .state = *unit.state,
                       .trial = unit.trial,
                       .solo = plan.cell(unit).user == UserKind::none,
                       .seed = plan.seed(unit),
                       .clock = &clock,
                       .keep_responses = plan.study.keep_responses},
        std::move(cast));
  }
  return std::make_unique<LiveEpisode>(
      EpisodeParts{.world = world.world.get(),
                   .task = plan.task(unit).task,
                   .settings = plan.settings(unit),
                   .clock = &clock,
                   .judged = !plan.study.judge.empty(),
                   .keep_responses = plan.study.keep_responses,
                   .holds_back = plan.arm(unit).repair == repair::Mode::intercept},
      std::move(cast));
}

}  // namespace unmask::run
