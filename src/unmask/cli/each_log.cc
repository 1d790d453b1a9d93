#include "unmask/cli/each_log.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/cli/arm_argument.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/episode/episode.h"
#include "unmask/ingest/log_input.h"
#include "unmask/study/log_facts.h"

namespace unmask::cli {

EachLog for_each_log(std::span<const LogInput> inputs,
                     const std::function<Result<void>(const LogInput&, Diagnostics&)>& read) {
  EachLog logs;
  std::optional<Error> passed_over;
  for (const LogInput& input : inputs) {
    Diagnostics diagnostics;
    const Result<void> done = read(input, diagnostics);
    if (done) {
      ++logs.read;
      logs.diagnostics.merge(diagnostics);
    } else if (pass_over(input, done.error(), logs.diagnostics)) {
      passed_over = done.error();
    } else {
      logs.exit_code = report_failure(done.error());
      if (logs.exit_code == kInterrupted) return logs;
    }
  }
  if (logs.read == 0 && logs.exit_code == kDone && passed_over) {
    logs.exit_code = report_failure(*passed_over);
  }
  return logs;
}

EachLog for_each_log(const std::vector<std::string>& paths,
                     const std::function<Result<void>(const LogInput&, Diagnostics&)>& read) {
  const Result<std::vector<LogInput>> inputs = find_logs(without_names(paths));
  if (!inputs) return {.exit_code = report_failure(inputs.error()), .read = 0, .diagnostics = {}};
  return for_each_log(*inputs, read);
}

EachLog read_each_log(const std::vector<std::string>& paths, const StudyOptions& options,
                      const std::function<void(const LogFacts&, const Diagnostics&)>& take,
                      const std::function<void(const std::string&, const Episode&,
                                               std::span<const CallDiagnosis>)>& visitor) {
  const Result<UserKnowledge> knowledge = read_knowledge(options);
  if (!knowledge) {
    return {.exit_code = report_failure(knowledge.error()), .read = 0, .diagnostics = {}};
  }
  return for_each_log(paths, [&](const LogInput& input, Diagnostics& diagnostics) -> Result<void> {
    ProgressBar bar("reading", options.quiet);
    FactsReading how{.domain = {},
                     .progress =
                         [&bar](std::uint64_t done, std::uint64_t total) {
                           bar.update(done, total, "B");
                           return !interrupted();
                         },
                     .reexecution = options.reexecution ? &options.reexecution : nullptr,
                     .visitor = {},
                     .first = nullptr,
                     .threads = options.thread_count()};
    if (visitor) {
      how.visitor = [&](const Episode& episode, std::span<const CallDiagnosis> diagnoses) {
        visitor(input.name, episode, diagnoses);
      };
    }
    const Result<LogFacts> log = read_log_facts(input, *knowledge, diagnostics, how);
    if (!log) return tl::unexpected(log.error());
    take(*log, diagnostics);
    return {};
  });
}

int finish_each_log(const EachLog& logs, const StudyOptions& options, const std::string& output,
                    const std::string& text) {
  if (logs.read == 0 || logs.exit_code == kInterrupted) return logs.exit_code;
  const Result<void> written = write_output(output, text);
  if (!written) return report_failure(written.error());
  if (!options.quiet) print_diagnostics(logs.diagnostics, options.verbose);
  if (options.strict && logs.diagnostics.any_warning()) {
    complain("--strict: the warnings above count as errors");
    return kBadInput;
  }
  return logs.exit_code;
}

}  // namespace unmask::cli
