#include <algorithm>

#include <CLI/CLI.hpp>

#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/ingest/log_input.h"
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
    app_->add_option("--format", format_, "text (counts), csv or jsonl (every failed call)")
        ->check(CLI::IsMember({"text", "csv", "jsonl"}))
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
    std::vector<DiagnosedCall> calls;
    Diagnostics all;
    int code = kDone;
    bool any = false;
    for (const LogInput& input : *inputs) {
      ProgressBar bar("reading " + input.name, options_.quiet);
      const Result<LogFacts> log = read_log_facts(
          input, *knowledge, all,
          [&bar](std::uint64_t done, std::uint64_t total) {
            bar.update(done, total, "B");
            return !interrupted();
          },
          [&](const Episode& episode, std::span<const CallDiagnosis> diagnoses) {
            collect(input.name, episode, diagnoses, calls);
          });
      if (!log) {
        code = report_failure(log.error());
        if (code == kInterrupted) return code;
        continue;
      }
      any = true;
    }
    if (!any) return code;
    std::string text;
    if (format_ == "csv") {
      text = diagnose_csv(calls);
    } else if (format_ == "jsonl") {
      text = diagnose_jsonl(calls);
    } else {
      text = diagnose_text(calls, text_style(options_, !output_.empty()));
    }
    const Result<void> written = write_output(output_, text);
    if (!written) return report_failure(written.error());
    if (!options_.quiet) print_diagnostics(all, options_.verbose);
    if (options_.strict && all.any_warning()) {
      complain("--strict: the warnings above count as errors");
      return kBadInput;
    }
    return code;
  }

 private:
  static void collect(const std::string& file, const Episode& episode,
                      std::span<const CallDiagnosis> diagnoses, std::vector<DiagnosedCall>& calls) {
    for (std::size_t i = 0; i < episode.calls.size(); ++i) {
      const ToolCall& call = episode.calls[i];
      if (!call.failed || call.in_history) continue;
      const CallDiagnosis& diagnosis = diagnoses[i];
      calls.push_back({.file = file,
                       .task = episode.task_id,
                       .trial = episode.trial,
                       .turn = call.message,
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
  std::vector<std::string> paths_;
  std::string format_ = "text";
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> diagnose_command(CLI::App& root) {
  return std::make_unique<Diagnose>(root);
}

}  // namespace unmask::cli
