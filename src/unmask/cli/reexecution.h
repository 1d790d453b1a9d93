#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/cli/world_options.h"
#include "unmask/episode/log_header.h"
#include "unmask/study/reexecution.h"

namespace CLI {
class App;
}

namespace unmask::cli {

/// Whether the calls of a log can be executed again: other harnesses' logs have tools and tasks of
/// their own.
[[nodiscard]] bool is_replayable(const LogHeader& header);
/// Whether its agent holds the user's tools.
[[nodiscard]] bool is_solo(const LogHeader& header);

/// `--replay`: calls are executed again in the native worlds, as evidence.
class ReexecutionOptions {
 public:
  /// `--replay` and `--tau2-data`.
  void add(CLI::App& app);

  /// Error if the data are to be used and their folder isn't there. (Without `--replay` the
  /// environment may still name them.)
  [[nodiscard]] Result<void> check() const { return replay_ ? worlds_.check() : Result<void>(); }

  /// Empty without `--replay`. The source borrows this object, and may be used by several threads.
  [[nodiscard]] ReexecutionSource source();

 private:
  Result<std::unique_ptr<LogReexecution>> of_log(const LogHeader& header, const std::string& domain,
                                                 Diagnostics& diagnostics);

  bool replay_ = false;
  WorldOptions worlds_;
  std::mutex loading_;  ///< of worlds_
};

}  // namespace unmask::cli
