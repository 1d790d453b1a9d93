#pragma once

#include <string>
#include <vector>

#include "unmask/audit/audit.h"
#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/study/log_facts.h"

namespace unmask {

/// An arm as the user gave it. An empty name asks for a guess from the log's model name.
struct ArmSource {
  std::string name;
  std::vector<std::string> paths;        ///< files, folders, globs, `-`
  std::vector<std::string> single_turn;  ///< of first calls, likewise; also found among `paths`
  std::string precision;                 ///< overrides what the log's model name suggests
  ArmRole role = ArmRole::compared;
  std::string unrepaired;  ///< repaired arms: the arm they repair
  std::string mode;
};

/// A cell as the user gave it. An empty id lets the logs' domains (and, for arms without a name,
/// model families) make the cells.
struct CellSource {
  CellInfo info;
  std::string reference;  ///< empty: the highest precision, else the first arm
  std::vector<ArmSource> arms;
};

struct ReadSettings {
  UserKnowledge knowledge;
  unsigned threads = 1;
  bool append_trials = false;
  ReadProgress progress;          ///< over all files; called from any thread, one at a time
  ReexecutionSource reexecution;  ///< as FactsReading::reexecution; empty: not asked for
};

struct StudyRead {
  std::vector<CellInput> cells;
  std::vector<InputFindings> inputs;
  Diagnostics diagnostics;
};

/// Reads every log of `sources` (files side by side on `threads` threads) and sorts them into cells
/// and arms. The result does not depend on the number of threads.
/// Errors: standard input given twice; a path that can't be resolved or none of whose logs can be
/// used; files of one arm that name different models; an interruption. A log that can't be used
/// beside others that can is reported and left out.
[[nodiscard]] Result<StudyRead> read_study(const std::vector<CellSource>& sources,
                                           const ReadSettings& settings);

/// Code of the diagnostic about a log that was named and could not be used.
inline constexpr const char* kLogLeftOut = "log_left_out";

}  // namespace unmask
