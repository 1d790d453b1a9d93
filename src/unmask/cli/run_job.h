#pragma once

#include <optional>
#include <string>

#include "unmask/base/error.h"
#include "unmask/cli/study_options.h"
#include "unmask/run/run_folder.h"
#include "unmask/run/run_plan.h"

namespace unmask::cli {

/// A variable of the environment, as endpoints' keys are looked up.
[[nodiscard]] std::optional<std::string> environment_variable(const std::string& name);

/// Plays what is left of a study into a folder, with the live display; an interrupt stops it. Uses
/// threads and quietness of `options`. Errors: as run::run_study.
[[nodiscard]] Result<run::RunResult> play_study(const run::RunPlan& plan, const std::string& folder,
                                                const StudyOptions& options);

/// Says which endpoints were given up and which episodes are not done. Whether any is missing.
[[nodiscard]] bool complain_of_missing(const run::RunResult& result);

}  // namespace unmask::cli
