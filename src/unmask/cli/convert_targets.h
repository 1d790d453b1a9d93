#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/convert/log_writer.h"
#include "unmask/ingest/log_input.h"
#include "unmask/output/output_file.h"

namespace unmask::cli {

/// Where a converted log goes: a file, whole or not at all, or standard output.
class ConvertTarget {
 public:
  /// An empty path is standard output. Errors: as OutputFile::create.
  [[nodiscard]] static Result<ConvertTarget> open(const std::string& path);

  /// Failures are remembered and reported by commit().
  void write(std::string_view text);
  /// Errors: outside, if anything could not be written.
  [[nodiscard]] Result<void> commit();

 private:
  std::optional<OutputFile> file_;
  int error_ = 0;
};

/// The path that each of `logs` is written to, empty for standard output: `output` itself for one
/// log, else a file named after the log in the folder `output`, which is made if it is not there.
/// Errors: invalid_argument for several logs and a single place, for a place that is a log itself
/// and for two logs of one place; outside for a folder that is missing or can't be made.
[[nodiscard]] Result<std::vector<std::string>> convert_targets(std::span<const LogInput> logs,
                                                               const std::string& output,
                                                               LogFormat format);

}  // namespace unmask::cli
