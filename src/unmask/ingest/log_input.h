#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"

namespace unmask {

/// One log: a file, or the files of a folder that belong together.
struct LogInput {
  std::string name;                ///< as the user gave it, or as found in a folder he gave
  std::vector<std::string> files;  ///< to be read, in this order; one unless it is a folder
  bool is_folder = false;          ///< files of one folder make up the log
  /// Found while searching a folder rather than named: if it is no log at all it is passed over.
  bool found = false;

  bool operator==(const LogInput&) const = default;
};

/// Resolves what a user gave into logs: a file, `-` for standard input, a glob (`runs/*.json`, for
/// shells that leave it alone), or a folder. A folder is one log if its content says so (see
/// `folder_log`), else it is searched, sub-folders too, for files named like logs. The order is the
/// given one, within a folder or glob that of names, numbers compared as numbers.
/// Errors: bad_input for a path or glob that matches nothing, outside for a folder that can't be
/// read, invalid_argument for standard input given twice.
Result<std::vector<LogInput>> find_logs(std::span<const std::string> patterns);
Result<std::vector<LogInput>> find_logs(const std::string& pattern);

/// Error unless standard input is among `patterns` at most once, since nobody can read it again.
[[nodiscard]] Result<void> standard_input_once(std::span<const std::string> patterns);

/// `message` of an error without the file's name at its beginning, for a remark that names it.
[[nodiscard]] std::string_view without_file_name(std::string_view message, std::string_view file);

/// Whether `input`, which could not be read for `error`, is passed over: it was found in a folder
/// and is no log. A note about it is added then.
bool pass_over(const LogInput& input, const Error& error, Diagnostics& diagnostics);

/// Whether a file of this name is taken for a log in a folder: `.json`, `.jsonl`, `.ndjson`,
/// `.eval` or `.traj`, plain or packed (`.gz`, `.zst`), and not hidden.
[[nodiscard]] bool named_like_a_log(std::string_view path);

/// A log's name without folder and without those endings, to name an arm or a file after it:
/// `runs/int4.json.gz` gives `int4`, standard input `standard-input`. Never empty.
[[nodiscard]] std::string stem_of_log(std::string_view name);

}  // namespace unmask
