#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

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
/// read.
Result<std::vector<LogInput>> find_logs(std::span<const std::string> patterns);
Result<std::vector<LogInput>> find_logs(const std::string& pattern);

}  // namespace unmask
