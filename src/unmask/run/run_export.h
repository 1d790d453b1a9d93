#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "unmask/base/error.h"
#include "unmask/output/output_file.h"
#include "unmask/run/run_study.h"

namespace unmask::run {

/// Writes `logs/`, `single-turn/` and `study.toml` from the stores that are there: all arms that
/// have an episode, or a first call, that has ended. Logs of another packing, from an earlier call,
/// are removed. Returns the number of these arms.
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
