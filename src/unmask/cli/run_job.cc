#include "unmask/cli/run_job.h"

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>

#include "unmask/base/clock.h"
#include "unmask/base/error.h"
#include "unmask/base/iso_time.h"
#include "unmask/cli/run_display.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/report/producer.h"
#include "unmask/run/model.h"
#include "unmask/run/run_folder.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_progress.h"
#include "unmask/run/runner.h"

namespace unmask::cli {

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<run::RunResult> play_study(const run::RunPlan& plan, const std::string& folder,
                                  const StudyOptions& options) {
  const SystemClock clock;
  const run::RunOrigin origin{.version = this_program().version,
                              .settings = "{}",
                              .created = iso_time(clock.wall_microseconds())};
  run::RunnerSettings settings;
  settings.threads = options.thread_count();
  RunDisplay display(options.quiet);
  const run::RunnerHooks hooks{
      .progress =
          [&](const run::RunProgress& progress) {
            display.update(progress);
            return !interrupted();
          },
      .notice = [&](const std::string& sentence) { display.say(sentence); }};
  return run::run_study(
      plan, folder, origin, [&] { return run::open_models(plan.study, environment_variable); },
      settings, hooks);
}

bool complain_of_missing(const run::RunResult& result) {
  for (const std::string& endpoint : result.end.lost_endpoints) {
    complain("endpoint given up: " + endpoint);
  }
  std::size_t missing = 0;
  for (const run::ArmProgress& arm : result.progress.arms) {
    if (arm.done == arm.planned) continue;
    missing += arm.planned - arm.done;
    complain(arm.cell + " " + arm.arm + ": " + std::to_string(arm.planned - arm.done) + " of " +
             std::to_string(arm.planned) + " episodes are not done" +
             (arm.last_problem.empty() ? "" : ": " + arm.last_problem));
    if (arm.done == 0) {
      complain(arm.cell + " " + arm.arm +
               ": has no log and does not stand in study.toml, since none of its episodes has "
               "ended by itself");
    }
  }
  if (missing > 0) complain("the same command takes up what is not done");
  return missing > 0;
}

}  // namespace unmask::cli
