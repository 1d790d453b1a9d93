#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/margin_job.h"
#include "unmask/cli/page_output.h"
#include "unmask/cli/report_places.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/margins/analyse.h"
#include "unmask/margins/findings.h"
#include "unmask/report/figures.h"
#include "unmask/report/page_selection.h"
#include "unmask/report/report_words.h"
#include "unmask/study/study_reader.h"

namespace unmask::cli {
namespace {

class Report final : public Command {
 public:
  explicit Report(CLI::App& root) {
    app_ = root.add_subcommand(
        "report", "The audit as one web page: figures for any budget, and every episode");
    options_.add_inputs(*app_);
    options_.add_knowledge(*app_);
    options_.add_settings(*app_);
    app_->add_option("-o,--output", output_, "the page's file (- for standard output)")
        ->type_name("FILE")
        ->capture_default_str();
    add_page_selection(*app_, episodes_);
    app_->add_option("--figures", figures_,
                     "writes the main figures as SVG files into this folder, for papers; the page "
                     "too only with -o")
        ->type_name("DIR")
        ->check(CLI::Validator(a_place, ""));
    app_->add_option("--folder", folder_,
                     "writes the page as a folder: index.html, and the texts of the episodes in "
                     "files beside it, which it loads when they are looked at; for large studies")
        ->type_name("DIR")
        ->check(CLI::Validator(a_place, ""))
        ->excludes("--output");
    app_->add_option(
            "--margins", margins_,
            "file of scores of a paired replay (unmask margins), which the page then shows")
        ->type_name("FILE");
    options_.add_general(*app_);
    app_->footer(
        "The page needs no network: open the file in a browser, or attach it.\n"
        "What is in it: docs/report-page.md");
  }

  int run() override {
    const bool with_figures = app_->count("--figures") > 0;
    const bool with_folder = app_->count("--folder") > 0;
    const bool with_page = app_->count("--output") > 0 || (!with_figures && !with_folder);
    if (const Result<void> ready = ready_to_write(with_page, with_folder); !ready)
      return report_failure(ready.error());
    std::optional<margins::MarginFindings> replay;
    Diagnostics of_replay;
    if (!margins_.empty()) {
      Result<ScoredDecisions> scored = stored_scores(margins_, of_replay);
      if (!scored) return report_failure(scored.error());
      replay = margins::analyse(*scored);
    }
    const margins::MarginFindings* const shown = replay ? &*replay : nullptr;
    const Result<AuditedStudy> audited = audited_study(options_);
    if (!audited) return report_failure(audited.error());
    if (with_figures) {
      const std::vector<FigureFile> figures = audit_figures(audited->findings);
      const Result<std::size_t> removed = write_figures(figures_, figures);
      if (!removed) return report_failure(removed.error());
      if (!options_.quiet) say_figures(figures.size(), *removed);
    }
    // The option's check let nothing else through.
    const PageSelection selection = page_selection(episodes_).value_or(PageSelection{});
    if (with_folder) {
      if (const Result<void> written = write_report_folder(
              folder_, audited->study, audited->findings, selection, options_.quiet, shown);
          !written) {
        return report_failure(written.error());
      }
    }
    if (with_page) {
      const Result<std::string> page =
          report_page(audited->study, audited->findings, selection, options_.quiet, shown);
      if (!page) return report_failure(page.error());
      if (const Result<void> written = write_output(output_, *page); !written)
        return report_failure(written.error());
    }
    const Diagnostics& diagnostics = audited->findings.diagnostics;
    if (!options_.quiet) {
      print_diagnostics(of_replay, options_.verbose);
      print_diagnostics(diagnostics, options_.verbose);
      if (with_folder)
        complain("wrote " + (std::filesystem::path(folder_) / "index.html").string());
      if (with_page && output_ != "-") complain("wrote " + output_);
    }
    if (diagnostics.count(kLogLeftOut) == 0) return kDone;
    complain("a log that was named could not be used");
    return kBadInput;
  }

 private:
  // Empty, as of a shell variable that is not set.
  static std::string a_place(const std::string& folder) {
    return folder.empty() ? "the name of the folder is empty" : "";
  }

  // What can be known before the work.
  [[nodiscard]] Result<void> ready_to_write(bool with_page, bool with_folder) const {
    std::vector<std::string> inputs = input_files(options_);
    inputs.push_back(margins_);
    if (with_page) {
      if (Result<void> place = output_place(output_, inputs); !place) return place;
    }
    const std::filesystem::path folder = folder_;
    for (const auto& [place, ending] :
         {std::pair(folder, ".html"), std::pair(folder.empty() ? folder : folder / "blocks", ".js"),
          std::pair(std::filesystem::path(figures_), ".svg")}) {
      if (Result<void> spared = spares_inputs(place, ending, inputs); !spared) return spared;
    }
    if (with_folder) {
      if (Result<void> ours = report_folder_is_ours(folder_); !ours) return ours;
    }
    if (with_page && is_among_figures()) {
      return fail(ErrorCode::invalid_argument,
                  output_ +
                      ": figures are written there, one of which may have this name; give the "
                      "page another place with -o");
    }
    if (with_page || with_folder) {
      if (Result<void> there = page_is_there(); !there) return there;
    }
    if (Result<void> made = make_folder(folder_, "--folder"); !made) return made;
    return make_folder(figures_, "--figures");
  }

  // Files of `folder` with this ending may be replaced: they must not be read, too.
  static Result<void> spares_inputs(const std::filesystem::path& folder, const std::string& ending,
                                    const std::vector<std::string>& inputs) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
      if (entry.path().extension() != ending) continue;
      if (Result<void> place = output_place(entry.path().string(), inputs); !place) return place;
    }
    return {};
  }

  // Names of figures are known only after the audit.
  [[nodiscard]] bool is_among_figures() const {
    const std::filesystem::path page = output_;
    const std::filesystem::path folder = page.has_parent_path() ? page.parent_path() : ".";
    std::error_code none;
    return !figures_.empty() && page.extension() == ".svg" &&
           std::filesystem::equivalent(folder, figures_, none);
  }

  static Result<void> make_folder(const std::string& folder, const std::string& option) {
    if (folder.empty()) return {};
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error) return {};
    return fail(ErrorCode::outside, folder + ": no folder can be made there (" + error.message() +
                                        "); give another one to " + option);
  }

  void say_figures(std::size_t written, std::size_t removed) const {
    if (written == 0) {
      complain("no figure was written to " + figures_ +
               ": these logs have nothing that the figures show (logs of first calls only have no "
               "episodes, hence no score by budget and no channels)");
    } else {
      complain("wrote " + text::counted(written, "figure") + " to " + figures_);
    }
    if (removed > 0)
      complain("removed " + text::counted(removed, "figure") + " of an earlier report there");
  }

  StudyOptions options_;
  std::string output_ = "unmask-report.html";
  std::string episodes_ = "all";
  std::string figures_;
  std::string folder_;
  std::string margins_;
};

}  // namespace

std::unique_ptr<Command> report_command(CLI::App& root) { return std::make_unique<Report>(root); }

}  // namespace unmask::cli
