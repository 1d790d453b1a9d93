#include "unmask/cli/study_demo.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "demo_study.h"
#include <CLI/CLI.hpp>

#include "unmask/audit/findings.h"
#include "unmask/base/error.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/run_job.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/output/output_file.h"
#include "unmask/report/paper_figures.h"
#include "unmask/report/text_report.h"
#include "unmask/report/text_style.h"
#include "unmask/run/run_folder.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_study.h"

namespace unmask::cli {
namespace {

/// Which cells and arms of the demo stand for the paper's.
const PaperCells& demo_cells() {
  static const PaperCells cells{.damaged = "gemma-like-dense/telecom",
                                .clean = "qwen-like-dense/telecom",
                                .cheap = "int4",
                                .repaired = "int4-reflex"};
  return cells;
}

/// The demo's study, on official tasks if there are data.
std::string study_text(bool official) {
  constexpr std::string_view kOwn = "number = 114";
  std::string text(data::demo_toml);
  if (!official) return text;
  for (std::size_t at = 0; (at = text.find(kOwn, at)) != std::string::npos;) {
    text.replace(at, kOwn.size(), "source = \"tau2\"");
  }
  return text;
}

}  // namespace

void StudyDemo::add(CLI::App& study) {
  app_ = study.add_subcommand("demo",
                              "The paper's grid with simulated agents: play it, audit it, compare "
                              "with the paper's figures");
  app_->add_option("-o,--output", folder_, "folder of the run; one that is there is continued")
      ->type_name("FOLDER")
      ->capture_default_str();
  app_->add_option("--tau2-data", tau2_data_,
                   "play tau2-bench's own tasks: a checkout, or what scripts/get-tau2-data "
                   "installed (default: this project's tasks)")
      ->type_name("FOLDER");
  app_->add_flag("--print-study", print_study_, "print the study's file and play nothing");
  audit_.add_general(*app_);
  audit_.add_color(*app_);
  app_->footer(
      "Simulated agents are a model of the paper's mechanism, not evidence for it: what was "
      "fitted, "
      "what\nassumed and what follows stands beside each figure, and in docs/simulation.md.");
}

bool StudyDemo::is_asked_for() const { return app_->parsed(); }

int StudyDemo::run() {
  const std::string text = study_text(!tau2_data_.empty());
  if (print_study_) {
    const Result<void> written = write_output({}, text);
    return written ? kDone : report_failure(written.error());
  }
  Result<run::RunStudy> study = run::parse_run_study(text, "study of the demo");
  if (!study) return report_failure(study.error());
  const Result<run::RunPlan> plan = run::plan_run(std::move(*study), tau2_data_);
  if (!plan) return report_failure(plan.error());
  const Result<run::RunResult> result = play_study(*plan, folder_, audit_);
  if (!result) return report_failure(result.error());
  if (result->end.interrupted) {
    complain("interrupted; go on with the same command");
    return kInterrupted;
  }
  if (complain_of_missing(*result)) return kOutside;
  const Result<std::size_t> arms = run::export_logs(plan->study, folder_, Packing::zstd);
  if (!arms) return report_failure(arms.error());
  audit_.study_file = (std::filesystem::path(folder_) / "study.toml").string();
  const Result<AuditedStudy> audited = audited_study(audit_);
  if (!audited) return report_failure(audited.error());
  const AuditFindings& findings = audited->findings;
  const TextStyle style = text_style(audit_, false);
  const Result<void> written = write_output(
      {}, text_report(findings, style) + "\nThe paper's figures beside the simulated ones\n\n" +
              paper_figures_text(paper_figures(findings, demo_cells()), style) + "\nlogs: " +
              folder_ + "/logs - again: unmask audit --study " + folder_ + "/study.toml\n");
  return written ? kDone : report_failure(written.error());
}

}  // namespace unmask::cli
