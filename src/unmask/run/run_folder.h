#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/output/output_file.h"
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

/// Writes `logs/`, `single-turn/` and `study.toml` from the stores that are there: all arms that
/// have an episode, or a first call, that has ended. Logs of another packing, from an earlier call,
/// are removed. Returns the number of these arms.
/// Errors: outside, with the file; those of reading the store.
[[nodiscard]] Result<std::size_t> export_logs(const RunStudy& study,
                                              const std::filesystem::path& folder,
                                              Packing packing = Packing::zstd);

/// The logs of an arm, relative to its study file; empty where there is none.
struct ArmLogs {
  std::string episodes;
  std::string single_turn;

  [[nodiscard]] bool empty() const { return episodes.empty() && single_turn.empty(); }
};

/// The study file of a run's logs, as `unmask audit --study` reads it. `logs_of`: of a cell and an
/// arm by position; an arm without logs is left out.
[[nodiscard]] std::string logs_study(
    const RunStudy& study, const std::function<ArmLogs(std::size_t, std::size_t)>& logs_of);

}  // namespace unmask::run
