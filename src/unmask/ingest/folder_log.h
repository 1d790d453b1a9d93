#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "unmask/ingest/log_input.h"

namespace unmask {

/// The folder as one log, if its files belong together: `results.json` with `simulations/`
/// (tau2-bench's folder form) or an index with one file a task (`index.json`, `task_*.json`). Empty
/// if it is not.
[[nodiscard]] std::optional<LogInput> folder_log(const std::string& folder);

/// The folder log that `results_file` is the head of: it holds no simulations itself and a folder
/// `simulations` stands beside it. Does not look into the file.
[[nodiscard]] std::optional<LogInput> folder_log_of_head(const std::string& results_file);

/// Name order in which numbers within names compare as numbers: `task_2` before `task_10`.
[[nodiscard]] bool in_name_order(std::string_view a, std::string_view b);

}  // namespace unmask
