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
/// `study.toml` of these logs, for `unmask audit`.
[[nodiscard]] std::filesystem::path store_file(const std::filesystem::path& folder);

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

/// Writes `logs/` and `study.toml` from the store: all arms that have an episode that has ended.
/// Logs of another packing, from an earlier call, are removed. Returns the number of these arms.
/// Errors: outside, with the file; those of reading the store.
[[nodiscard]] Result<std::size_t> export_logs(const RunStudy& study,
                                              const std::filesystem::path& folder,
                                              Packing packing = Packing::zstd);

/// The same of a run's store that another process may be writing, into any folder: its study is the
/// one that stands in it. Errors: also bad_input for a study that can't be read any more.
[[nodiscard]] Result<std::size_t> export_store(const std::filesystem::path& store,
                                               const std::filesystem::path& folder,
                                               Packing packing = Packing::zstd);

/// A text that is another one once an episode of the store has ended, or ended otherwise. Errors:
/// those of reading the store.
[[nodiscard]] Result<std::string> ended_episodes(const std::filesystem::path& store);

/// The study file of a run's logs, as `unmask audit --study` reads it. `file_of`: of a cell and an
/// arm by position, relative to the study file; empty for an arm that is left out.
[[nodiscard]] std::string logs_study(
    const RunStudy& study, const std::function<std::string(std::size_t, std::size_t)>& file_of);

}  // namespace unmask::run
