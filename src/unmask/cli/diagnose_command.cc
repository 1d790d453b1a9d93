#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/each_log.h"
#include "unmask/cli/reexecution.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/episode/episode.h"
#include "unmask/report/diagnose_rendering.h"
#include "unmask/study/log_facts.h"

namespace unmask::cli {
namespace {

class Diagnose final : public Command {
 public:
  explicit Diagnose(CLI::App& root) {
    app_ = root.add_subcommand("diagnose",
                               "List every failed call with its channel, kind and evidence");
    app_->add_option("logs", paths_, "files, folders, globs, or - for standard input")
        ->required()
        ->type_name("PATH");
    options_.add_knowledge(*app_);
    reexecution_.add(*app_);
    app_->add_option("--format", format_, "text (counts), csv or jsonl (every failed call)")
        ->check(CLI::IsMember({"text", "csv", "jsonl"}))
        ->capture_default_str();
    app_->add_option("-o,--output", output_, "write to a file instead of standard output")
        ->type_name("FILE");
    options_.add_general(*app_);
    options_.add_color(*app_);
  }

  int run() override {
    if (const Result<void> place = output_place(output_, input_files(options_, paths_)); !place)
      return report_failure(place.error());
    if (const Result<void> there = reexecution_.check(); !there)
      return report_failure(there.error());
    options_.reexecution = reexecution_.source();
    std::vector<DiagnosedCall> calls;
    const EachLog logs = read_each_log(
        paths_, options_, [](const LogFacts&, const Diagnostics&) {},
        [&](const std::string& file, const Episode& episode,
            std::span<const CallDiagnosis> diagnoses) {
          collect(file, episode, diagnoses, calls);
        });
    return finish_each_log(logs, options_, output_, rendered(calls));
  }

 private:
  [[nodiscard]] std::string rendered(std::span<const DiagnosedCall> calls) const {
    if (format_ == "csv") return for_destination(output_, diagnose_csv(calls));
    if (format_ == "jsonl") return diagnose_jsonl(calls);
    return diagnose_text(calls, text_style(options_, !output_.empty()));
  }

  static void collect(const std::string& file, const Episode& episode,
                      std::span<const CallDiagnosis> diagnoses, std::vector<DiagnosedCall>& calls) {
    for (std::size_t i = 0; i < episode.calls.size(); ++i) {
      const ToolCall& call = episode.calls[i];
      if (!call.failed || call.in_history) continue;
      const CallDiagnosis& diagnosis = diagnoses[i];
      calls.push_back({.file = file,
                       .task = episode.task_id,
                       .trial = episode.trial,
                       .episode = episode.id,
                       .turn = call.message,
                       .call = static_cast<std::uint32_t>(i),
                       .party = call.party,
                       .tool = call.name,
                       .arguments = call.arguments,
                       .channel = diagnosis.channel,
                       .kind = diagnosis.kind,
                       .evidence = diagnosis.evidence,
                       .rule = diagnosis.rule,
                       .detail = diagnosis.detail,
                       .text = call.result});
    }
  }

  StudyOptions options_;
  ReexecutionOptions reexecution_;
  std::vector<std::string> paths_;
  std::string format_ = "text";
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> diagnose_command(CLI::App& root) {
  return std::make_unique<Diagnose>(root);
}

}  // namespace unmask::cli
