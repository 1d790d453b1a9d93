#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/run/model.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_progress.h"
#include "unmask/run/runner.h"

namespace unmask::run {

/// A run's folder holds the store, `logs/` with each arm in tau2-bench's format, and the
/// `study.toml` of these logs, for `unmask audit`. First calls have a store of their own, and their
/// logs stand in `single-turn/`.
[[nodiscard]] std::filesystem::path store_file(const std::filesystem::path& folder,
                                               RunKind kind = RunKind::episodes);

/// What a new run's store says of where it came from.
struct RunOrigin {
  std::string version;   ///< of unmask
  std::string settings;  ///< JSON object of what the command line added
  std::string created;   ///< ISO-8601
};

struct RunResult {
  RunProgress progress;
  RunEnd end;
};

/// Opens the models of a study's endpoints; called once, and only if a unit is left that needs
/// them.
using OpenModels = std::function<Result<Models>()>;

/// Plays what is left of a study into `folder`, which is made if it isn't there: first the units
/// without models behind endpoints, which cost nothing and are stored in batches, then the others,
/// stored turn by turn. A folder of the same study is continued. Errors: bad_input for a study that
/// has changed otherwise than forbidden_changes allows; those of the store and the runners.
[[nodiscard]] Result<RunResult> run_study(const RunPlan& plan, const std::filesystem::path& folder,
                                          const RunOrigin& origin, const OpenModels& open_models,
                                          const RunnerSettings& settings, const RunnerHooks& hooks);

}  // namespace unmask::run
