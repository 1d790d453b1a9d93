#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/audit/findings.h"
#include "unmask/audit/verdict.h"
#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/page_output.h"
#include "unmask/cli/reexecution.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/ingest/remarks.h"
#include "unmask/report/csv_report.h"
#include "unmask/report/json_report.h"
#include "unmask/report/markdown_report.h"
#include "unmask/report/text_report.h"
#include "unmask/study/arm_checks.h"
#include "unmask/study/study_reader.h"

namespace unmask::cli {
namespace {

class Audit final : public Command {
 public:
  explicit Audit(CLI::App& root) {
    app_ = root.add_subcommand("audit", "Compare arms: does a flat score hide damage?");
    options_.add_inputs(*app_);
    options_.add_knowledge(*app_);
    reexecution_.add(*app_);
    options_.add_settings(*app_);
    app_->add_option("--format", format_, "text, json, csv, markdown or html (see unmask report)")
        ->check(CLI::IsMember({"text", "json", "csv", "markdown", "html"}))
        ->capture_default_str();
    app_->add_option("-o,--output", output_, "write to a file instead of standard output")
        ->type_name("FILE");
    app_->add_flag("--gate", gate_, "exit 1 if an arm is damaged, 4 if that can't be told");
    app_->add_option("--fail-on", fail_on_,
                     "verdicts that make --gate exit with 1, separated by commas")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("VERDICTS")
        ->check(CLI::IsMember({"visible_damage", "masked_damage", "amplified", "budget_sensitive"}))
        ->capture_default_str();
    options_.add_general(*app_);
    options_.add_color(*app_);
    app_->footer(
        "Exit codes: 0 done, 1 gate failed, 2 bad usage, 3 bad input, 4 inconclusive under "
        "--gate,\n"
        "5 outside failure, 130 interrupted. What the words mean: unmask help verdicts");
  }

  int run() override {
    if (const Result<void> place = output_place(output_, input_files(options_)); !place)
      return report_failure(place.error());
    if (format_ == "html") {
      if (const Result<void> there = page_is_there(); !there) return report_failure(there.error());
    }
    if (const Result<void> there = reexecution_.check(); !there)
      return report_failure(there.error());
    options_.reexecution = reexecution_.source();
    const Result<AuditedStudy> audited = audited_study(options_);
    if (!audited) return report_failure(audited.error());
    const Result<std::string> text = rendered(*audited);
    if (!text) return report_failure(text.error());
    const AuditFindings* findings = &audited->findings;
    const Result<void> written = write_output(output_, *text);
    if (!written) return report_failure(written.error());
    // The text report ends with the remarks; the others leave them to standard error.
    if (format_ != "text" && !options_.quiet)
      print_diagnostics(findings->diagnostics, options_.verbose);
    if (findings->diagnostics.count(kLogLeftOut) > 0) {
      say_what_was_left_out(findings->diagnostics);
      return kBadInput;
    }
    if (gate_ && slipped(findings->diagnostics)) return kBadInput;
    return gate_ ? gate_code(*findings) : kDone;
  }

 private:
  /// On standard error too, wherever the report went.
  void say_what_was_left_out(const Diagnostics& diagnostics) const {
    const bool told = format_ != "text" && !options_.quiet;
    for (const Diagnostic& remark : diagnostics.kept()) {
      if (remark.code == kLogLeftOut && !told) complain(remark.file + ": " + remark.sentence);
    }
    complain("a log that was named could not be used");
  }

  /// A gate never passes by a slip of the hand. Says which one.
  [[nodiscard]] static bool slipped(const Diagnostics& diagnostics) {
    struct Slip {
      const char* code;
      const char* sentence;
    };
    static constexpr std::array kSlips = {
        Slip{kSameBytesInTwoArms,
             "one log was given as two arms, so that there is nothing to compare"},
        Slip{kSameEpisodesInTwoArms,
             "two arms have the same episodes, call by call; give each arm its own log"},
        Slip{kSeveralArms, "a log holds several arms; give each a file of its own"},
        Slip{kSeveralModels, "a log holds several models; give each a file of its own"},
        Slip{kSeveralDomains, "a log holds several domains; give each a file of its own"},
        Slip{kArmContradictsLog,
             "an arm's name says another precision than its log; give each arm its own log"},
        Slip{kNoCommonTask,
             "an arm has no task in common with its reference; give logs of the same tasks"}};
    for (const Slip& slip : kSlips) {
      if (diagnostics.count(slip.code) == 0) continue;
      complain(std::string("--gate: ") + slip.sentence);
      return true;
    }
    return false;
  }

  [[nodiscard]] Result<std::string> rendered(const AuditedStudy& audited) const {
    const AuditFindings& findings = audited.findings;
    if (format_ == "html") return report_page(audited.study, findings, {}, options_.quiet);
    if (format_ == "json") return audit_json(findings);
    if (format_ == "csv") return for_destination(output_, audit_csv(findings));
    if (format_ == "markdown") return for_destination(output_, audit_markdown(findings));
    return text_report(findings, text_style(options_, !output_.empty()));
  }

  [[nodiscard]] int gate_code(const AuditFindings& findings) const {
    bool inconclusive = false;
    bool compared = false;
    for (const CellFindings& cell : findings.cells) {
      for (const ComparisonFindings& comparison : cell.comparisons) {
        compared = true;
        if (std::ranges::find(fail_on_, name_of(comparison.verdict)) != fail_on_.end())
          return kGateFailed;
        if (comparison.verdict != Verdict::inconclusive) continue;
        inconclusive = true;
        std::string why = cell.info.cell + " " + comparison.arm + ": inconclusive";
        for (const OpenCondition& open : comparison.open) {
          why += "; " + open.sentence;
          if (open.tasks_needed) {
            why += " (about " + std::to_string(static_cast<long>(*open.tasks_needed)) +
                   " tasks would settle it)";
          }
        }
        complain(why);
      }
    }
    if (!compared) complain("--gate: no arm was compared with a reference");
    return inconclusive || !compared ? kInconclusive : kDone;
  }

  StudyOptions options_;
  ReexecutionOptions reexecution_;
  std::string format_ = "text";
  std::string output_;
  bool gate_ = false;
  std::vector<std::string> fail_on_ = {"visible_damage", "masked_damage", "amplified",
                                       "budget_sensitive"};
};

}  // namespace

std::unique_ptr<Command> audit_command(CLI::App& root) { return std::make_unique<Audit>(root); }

}  // namespace unmask::cli
