#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/cli/study_options.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/episode/episode.h"
#include "unmask/ingest/log_input.h"
#include "unmask/study/log_facts.h"

namespace unmask::cli {

/// What became of logs that were read one by one.
struct EachLog {
  int exit_code = 0;     ///< of the last log that could not be read; 0 if all could
  std::size_t read = 0;  ///< logs that could be read
  Diagnostics diagnostics;
};

/// Has `read` read every log, one after another; it adds its remarks to the Diagnostics that it is
/// given, which count if the log could be read. A file that is no log is complained of and does not
/// hide the others, or passed over if it was only found in a folder; an interruption ends the work.
EachLog for_each_log(std::span<const LogInput> inputs,
                     const std::function<Result<void>(const LogInput&, Diagnostics&)>& read);
/// The same for the logs that `paths` name. Words of the form NAME=PATH, as `audit` takes them, are
/// read as PATH.
EachLog for_each_log(const std::vector<std::string>& paths,
                     const std::function<Result<void>(const LogInput&, Diagnostics&)>& read);

/// Reads every log of `paths` (for_each_log), each with a progress bar, and hands it to `take` with
/// its diagnostics. `visitor` sees the episodes of the log named by its first argument.
EachLog read_each_log(const std::vector<std::string>& paths, const StudyOptions& options,
                      const std::function<void(const LogFacts&, const Diagnostics&)>& take,
                      const std::function<void(const std::string&, const Episode&,
                                               std::span<const CallDiagnosis>)>& visitor = {});

/// Writes `text`, prints the remarks and returns the exit code, `--strict` included.
int finish_each_log(const EachLog& logs, const StudyOptions& options, const std::string& output,
                    const std::string& text);

}  // namespace unmask::cli
