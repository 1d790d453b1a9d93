#include <memory>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/each_log.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
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
    options_.add_color(*app_);
  }

  int run() override {
    if (const Result<void> place = output_place(output_, input_files(options_, paths_)); !place)
      return report_failure(place.error());
    std::vector<InspectReport> reports;
    const EachLog logs =
        read_each_log(paths_, options_, [&](const LogFacts& log, const Diagnostics& diagnostics) {
          reports.push_back(inspect(log.header, log.facts, diagnostics));
        });
    return finish_each_log(logs, options_, output_,
                           format_ == "json"
                               ? inspect_json(reports)
                               : inspect_text(reports, text_style(options_, !output_.empty())));
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
