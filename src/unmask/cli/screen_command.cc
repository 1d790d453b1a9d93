#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/audit/audit.h"
#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/report/screen_report.h"
#include "unmask/screen/arm_screen.h"
#include "unmask/screen/settings.h"
#include "unmask/study/study_reader.h"

namespace unmask::cli {
namespace {

// CLI11's ranges let NaN through.
CLI::Validator between(double low, double high) {
  return {[low, high](const std::string& text) {
            double value = 0.0;
            const bool number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
            return number && value >= low && value <= high
                       ? std::string()
                       : text + " is no number from " + CLI::detail::to_string(low) + " to " +
                             CLI::detail::to_string(high);
          },
          "NUMBER"};
}

class Screen final : public Command {
 public:
  explicit Screen(CLI::App& root) {
    app_ = root.add_subcommand("screen",
                               "Before quantizing: what would more of the agent's errors cost?");
    options_.add_inputs(*app_);
    options_.add_knowledge(*app_);
    app_->add_option("--budgets", settings_.budgets,
                     "error budgets that get headlines, beside the log's own")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app_->add_option("--factors", settings_.factors,
                     "how many times as many errors an episode to try")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(between(1.0, 100.0))
        ->capture_default_str();
    app_->add_option("--judge-at", settings_.judged_factor,
                     "the factor on the agent's errors that decides the class")
        ->check(between(1.0, 100.0))
        ->capture_default_str();
    app_->add_option_function<double>(
            "--near-zero", [this](double percent) { settings_.near_zero_rate = percent / 100.0; },
            "a channel is near zero below this per cent of calls [1]")
        ->check(between(0.001, 100.0))
        ->type_name("PERCENT");
    app_->add_option_function<double>(
            "--serious", [this](double points) { settings_.serious_loss = points / 100.0; },
            "points of score from which on a loss is serious [7.5]")
        ->check(between(0.01, 100.0))
        ->type_name("POINTS");
    app_->add_option("--format", format_, "text, json or markdown")
        ->check(CLI::IsMember({"text", "json", "markdown"}))
        ->capture_default_str();
    app_->add_option("-o,--output", output_, "write to a file instead of standard output")
        ->type_name("FILE");
    app_->add_option("--gate", gate_,
                     "exit 1 if an arm's risk is of this class or above, 4 if it is unknown")
        ->check(CLI::IsMember({"guarded", "high"}))
        ->type_name("CLASS");
    options_.add_general(*app_);
    options_.add_color(*app_);
    app_->footer(
        "Each log is screened by itself: give the precision that you have.\n"
        "Exit codes: 0 done, 1 gate failed, 2 bad usage, 3 bad input, 4 risk unknown under "
        "--gate,\n"
        "5 outside failure, 130 interrupted. What the words mean: unmask help screen");
  }

  int run() override {
    if (const Result<void> place = output_place(output_, input_files(options_)); !place)
      return report_failure(place.error());
    Result<StudyRead> study = read_inputs(options_);
    if (!study) return report_failure(study.error());
    const ScreenReport report = screened(std::move(*study));
    const Result<std::string> text = rendered(report);
    if (!text) return report_failure(text.error());
    if (const Result<void> written = write_output(output_, *text); !written)
      return report_failure(written.error());
    if (format_ != "text" && !options_.quiet)
      print_diagnostics(report.diagnostics, options_.verbose);
    if (report.diagnostics.count(kLogLeftOut) > 0) {
      complain("a log that was named could not be used");
      return kBadInput;
    }
    return gate_.empty() ? kDone : gate_code(report);
  }

 private:
  [[nodiscard]] ScreenReport screened(StudyRead study) const {
    ScreenReport report;
    report.settings = settings_;
    for (const CellInput& input : study.cells) {
      ScreenReport::Cell& cell = report.cells.emplace_back();
      cell.info = input.info;
      for (const ArmInput& arm : input.arms)
        cell.arms.push_back(screen::screen_arm(arm.facts, settings_));
    }
    report.inputs = std::move(study.inputs);
    report.diagnostics = std::move(study.diagnostics);
    return report;
  }

  [[nodiscard]] Result<std::string> rendered(const ScreenReport& report) const {
    if (format_ == "json") return screen_json(report);
    if (format_ == "markdown") return for_destination(output_, screen_markdown(report));
    return screen_text(report, text_style(options_, !output_.empty()));
  }

  [[nodiscard]] int gate_code(const ScreenReport& report) const {
    const screen::RiskClass least =
        screen::risk_class_from_name(gate_).value_or(screen::RiskClass::guarded);
    bool unknown = false;
    bool any = false;
    for (const ScreenReport::Cell& cell : report.cells) {
      for (const screen::ArmScreen& arm : cell.arms) {
        any = true;
        if (arm.risk == screen::RiskClass::unknown) {
          unknown = true;
          complain(cell.info.cell + " " + arm.arm + ": risk unknown; " + arm.reasons.front());
        } else if (arm.risk >= least) {
          return kGateFailed;
        }
      }
    }
    if (!any) complain("--gate: there is no arm to screen");
    return unknown || !any ? kInconclusive : kDone;
  }

  StudyOptions options_;
  screen::ScreenSettings settings_;
  std::string format_ = "text";
  std::string output_;
  std::string gate_;
};

}  // namespace

std::unique_ptr<Command> screen_command(CLI::App& root) { return std::make_unique<Screen>(root); }

}  // namespace unmask::cli
