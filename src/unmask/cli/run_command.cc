#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/error.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/run_check_text.h"
#include "unmask/cli/run_job.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/output/output_file.h"
#include "unmask/report/text_report.h"
#include "unmask/run/endpoint_check.h"
#include "unmask/run/model.h"
#include "unmask/run/run_export.h"
#include "unmask/run/run_folder.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_study.h"

namespace unmask::cli {
namespace {

class Run final : public Command {
 public:
  explicit Run(CLI::App& root) {
    app_ = root.add_subcommand("run", "Make the logs: play a study's episodes, then audit them");
    app_->add_option("study", study_file_,
                     "study.toml: endpoints or GGUF files, cells, arms, tasks, users")
        ->required()
        ->type_name("FILE");
    app_->add_option("-o,--output", folder_,
                     "folder of the run; one that holds this study's run already is continued")
        ->type_name("FOLDER");
    app_->add_flag("--check", check_,
                   "play nothing: probe each endpoint with a few short requests, and estimate what "
                   "the run will ask of it");
    app_->add_flag(
        "--single-turn", single_turn_,
        "play no episodes: ask for the first call at each state of the perfect runs, and "
        "set it beside the golden action");
    app_->add_option("--tau2-data", tau2_data_,
                     "official data: a checkout of tau2-bench, or what scripts/get-tau2-data "
                     "installed; for cells with official tasks")
        ->type_name("FOLDER");
    app_->add_option("--max-concurrency", max_concurrency_,
                     "requests at once to each endpoint (default: as the study says)")
        ->check(CLI::Range(1, 4096));
    app_->add_option("--pack", pack_,
                     "packing of the logs: zstd, gzip, or none for tau2-bench itself")
        ->check(CLI::IsMember({"zstd", "gzip", "none"}))
        ->capture_default_str();
    app_->add_flag("--no-audit", no_audit_, "write the logs, but don't audit them");
    audit_.add_general(*app_);
    audit_.add_color(*app_);
    app_->footer(
        "Keys are read from the variables that the study names with api_key_env; OPENAI_API_KEY "
        "where\nit names none. A run that was interrupted goes on when the same command is given "
        "again.\n"
        "Exit codes: 0 done, 2 bad usage, 3 bad input, 5 an endpoint or the disk failed, 130 "
        "interrupted.");
  }

  int run() override {
    Result<run::RunStudy> study = run::read_run_study(study_file_);
    if (!study) return report_failure(study.error());
    if (max_concurrency_) {
      for (run::EndpointPlan& endpoint : study->endpoints) {
        endpoint.max_concurrency = *max_concurrency_;
      }
    }
    if (const Result<void> found = run::find_ggufs(*study, environment_variable); !found) {
      return report_failure(found.error());
    }
    Result<run::RunPlan> plan = run::plan_run(std::move(*study), tau2_data_);
    if (!plan) return report_failure(plan.error());
    if (single_turn_) {
      if (const Result<void> planned = run::plan_single_turn(*plan); !planned) {
        return report_failure(planned.error());
      }
    }
    if (check_) return check(*plan);
    if (folder_.empty()) {
      return report_failure(
          {ErrorCode::invalid_argument, "give the run a folder: -o FOLDER (or --check alone)"});
    }
    const Result<run::RunResult> result = play_study(*plan, folder_, audit_);
    if (!result) return report_failure(result.error());
    return conclude(*plan, *result);
  }

 private:
  /// Fails if an endpoint can't play its part.
  int check(const run::RunPlan& plan) {
    const Result<std::vector<run::EndpointReport>> reports =
        run::check_endpoints(plan.study, environment_variable, interrupted);
    if (!reports) return report_failure(reports.error());
    const Result<void> written =
        write_output({}, check_text(plan, *reports, run::estimate(plan, *reports)));
    if (!written) return report_failure(written.error());
    const bool usable = std::ranges::all_of(
        *reports, [](const run::EndpointReport& report) { return report.error.empty(); });
    return usable ? kDone : kOutside;
  }

  /// Exports, audits and says what is left.
  int conclude(const run::RunPlan& plan, const run::RunResult& result) {
    const Result<std::size_t> arms = run::export_logs(plan.study, folder_, packing());
    if (!arms) return report_failure(arms.error());
    if (result.end.interrupted) {
      complain("interrupted; what has been answered is stored. Go on with the same command");
      return kInterrupted;
    }
    int code = kDone;
    if (!no_audit_ && *arms > 0) code = print_audit();
    return complain_of_missing(result) ? kOutside : code;
  }

  [[nodiscard]] Packing packing() const {
    if (pack_ == "none") return Packing::none;
    return pack_ == "gzip" ? Packing::gzip : Packing::zstd;
  }

  int print_audit() {
    audit_.study_file = (std::filesystem::path(folder_) / "study.toml").string();
    audit_.lone_arms = true;
    const Result<AuditedStudy> audited = audited_study(audit_);
    if (!audited) return report_failure(audited.error());
    const Result<void> written =
        write_output({}, text_report(audited->findings, text_style(audit_, false)));
    return written ? kDone : report_failure(written.error());
  }

  std::string study_file_;
  std::string folder_;
  std::string tau2_data_;
  std::optional<std::uint32_t> max_concurrency_;
  std::string pack_ = "zstd";
  bool check_ = false;
  bool single_turn_ = false;
  bool no_audit_ = false;
  StudyOptions audit_;
};

}  // namespace

std::unique_ptr<Command> run_command(CLI::App& root) { return std::make_unique<Run>(root); }

}  // namespace unmask::cli
