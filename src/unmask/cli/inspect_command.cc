#include <map>

#include <CLI/CLI.hpp>

#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/ingest/log_input.h"
#include "unmask/inspect/inspect_report.h"
#include "unmask/report/inspect_rendering.h"
#include "unmask/study/log_facts.h"

namespace unmask::cli {
namespace {

class Inspect final : public Command {
 public:
  explicit Inspect(CLI::App& root) {
    app_ = root.add_subcommand(
        "inspect", "What a log is: format, harness, budget, what vanished, what it can't tell");
    app_->add_option("logs", paths_, "files, folders, globs, or - for standard input")
        ->required()
        ->type_name("PATH");
    options_.add_knowledge(*app_);
    app_->add_option("--format", format_, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    app_->add_option("-o,--output", output_, "write to a file instead of standard output")
        ->type_name("FILE");
    options_.add_general(*app_);
  }

  int run() override {
    const Result<UserKnowledge> knowledge = read_knowledge(options_);
    if (!knowledge) return report_failure(knowledge.error());
    const Result<std::vector<LogInput>> inputs = find_logs(paths_);
    if (!inputs) return report_failure(inputs.error());
    std::vector<InspectReport> reports;
    Diagnostics all;
    int code = kDone;
    for (const LogInput& input : *inputs) {
      Diagnostics diagnostics;
      ProgressBar bar("reading " + input.name, options_.quiet);
      const Result<LogFacts> log = read_log_facts(input, *knowledge, diagnostics,
                                                  [&bar](std::uint64_t done, std::uint64_t total) {
                                                    bar.update(done, total, "B");
                                                    return !interrupted();
                                                  });
      if (!log) {
        // One file that is no log does not hide the others.
        code = report_failure(log.error());
        if (code == kInterrupted) return code;
        continue;
      }
      reports.push_back(inspect(log->header, log->facts, diagnostics));
      all.merge(diagnostics);
    }
    if (reports.empty()) return code;
    const Result<void> written = write_output(
        output_, format_ == "json" ? inspect_json(reports)
                                   : inspect_text(reports, text_style(options_, !output_.empty())));
    if (!written) return report_failure(written.error());
    if (!options_.quiet) print_diagnostics(all, options_.verbose);
    if (options_.strict && all.any_warning()) {
      complain("--strict: the warnings above count as errors");
      return kBadInput;
    }
    return code;
  }

 private:
  StudyOptions options_;
  std::vector<std::string> paths_;
  std::string format_ = "text";
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> inspect_command(CLI::App& root) { return std::make_unique<Inspect>(root); }

}  // namespace unmask::cli
