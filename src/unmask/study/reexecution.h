#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// What executing an episode's calls again in its world showed.
struct Reexecution {
  /// One a call of the episode, as Evidence takes it; empty: none was executed.
  std::vector<std::optional<ReexecutionOutcome>> calls;
  ReexecutionFacts facts;  ///< first_stray_write is an index into Episode::calls

  bool operator==(const Reexecution&) const = default;
};

/// Executes the episodes of one log again, one at a time. Who has worlds implements it; those who
/// read logs know none.
class LogReexecution {
 public:
  LogReexecution() = default;
  LogReexecution(const LogReexecution&) = delete;
  LogReexecution& operator=(const LogReexecution&) = delete;
  virtual ~LogReexecution() = default;

  /// `episode` has its transcript.
  [[nodiscard]] virtual Reexecution of(const Episode& episode) = 0;
  /// After the last episode: remarks on the whole log.
  virtual void finish(Diagnostics& diagnostics) = 0;
};

/// Makes one for a log whose complete header, its tasks' texts included, is `header`; `domain` is
/// that of the header or, if it names none, what the user says. Null: the log has no world, of
/// which a remark was made. `header` and `diagnostics` outlive the result. Called from any thread.
/// Errors: the world's data can't be used.
using ReexecutionSource = std::function<Result<std::unique_ptr<LogReexecution>>(
    const LogHeader& header, const std::string& domain, Diagnostics& diagnostics)>;

}  // namespace unmask
