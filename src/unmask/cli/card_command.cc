#include <memory>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/audit/findings.h"
#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/report/card.h"
#include "unmask/report/terminal_text.h"

namespace unmask::cli {
namespace {

class CardCommand final : public Command {
 public:
  explicit CardCommand(CLI::App& root) {
    app_ = root.add_subcommand("card", "The reporting standard: write, render and check cards");
    app_->require_subcommand(1);
    write_ = app_->add_subcommand("write", "Write the card of an arm from its logs");
    options_.add_inputs(*write_);
    options_.add_knowledge(*write_);
    options_.add_settings(*write_);
    options_.add_general(*write_);
    write_
        ->add_option("--arm", arm_,
                     "arm that the card is of (default: the only one, or the only one compared)")
        ->type_name("ARM");
    write_->add_option("--format", format_, "json or markdown")
        ->check(CLI::IsMember({"json", "markdown"}))
        ->capture_default_str();
    write_->add_option("-o,--output", output_, "write to a file instead of standard output")
        ->type_name("FILE");

    render_ = app_->add_subcommand("render", "Render a card as Markdown for a model card");
    render_->add_option("card", card_, "card, JSON")->required()->type_name("FILE");
    render_->add_option("-o,--output", output_, "write to a file instead of standard output")
        ->type_name("FILE");

    check_ = app_->add_subcommand("check", "Check cards, also such as other tools made");
    check_->add_option("cards", cards_, "cards, JSON")->required()->type_name("FILE");
  }

  int run() override {
    if (write_->parsed()) return write();
    if (render_->parsed()) return render();
    return check();
  }

 private:
  int write() {
    if (const Result<void> place = output_place(output_, input_files(options_)); !place)
      return report_failure(place.error());
    const Result<AuditedStudy> audited = audited_study(options_);
    if (!audited) return report_failure(audited.error());
    const AuditFindings* findings = &audited->findings;
    struct Choice {
      const CellFindings* cell;
      const ArmFindings* arm;
    };
    std::vector<Choice> choices;
    std::vector<std::string> names;
    for (const CellFindings& cell : findings->cells) {
      for (const ArmFindings& arm : cell.arms) {
        names.push_back(cell.info.cell + " " + arm.arm);
        const bool wanted =
            arm_.empty() ? !arm.reference || cell.arms.size() == 1 : arm.arm == arm_;
        if (wanted && (options_.cell.empty() || cell.info.cell == options_.cell))
          choices.push_back({&cell, &arm});
      }
    }
    if (choices.size() != 1) {
      return report_failure(
          {ErrorCode::invalid_argument, (choices.empty() ? "no such arm" : "several arms fit") +
                                            std::string("; choose one with --arm (and --cell): ") +
                                            joined(names, ", ")});
    }
    const Result<Card> card =
        card_from(*findings, choices.front().cell->info.cell, choices.front().arm->arm);
    if (!card) return report_failure(card.error());
    const Result<void> written =
        write_output(output_, format_ == "json" ? card_json(*card)
                                                : for_destination(output_, card_markdown(*card)));
    if (!written) return report_failure(written.error());
    if (!options_.quiet) print_diagnostics(findings->diagnostics, options_.verbose);
    return kDone;
  }

  int render() {
    const Result<std::string> text = read_text_file(card_);
    if (!text) return report_failure(text.error());
    const Result<Card> card = parse_card(*text, card_);
    if (!card) return report_failure(card.error());
    const Result<void> written =
        write_output(output_, for_destination(output_, card_markdown(*card)));
    return written ? kDone : report_failure(written.error());
  }

  int check() {
    int code = kDone;
    for (const std::string& file : cards_) {
      const Result<std::string> text = read_text_file(file);
      if (!text) {
        code = report_failure(text.error());
        continue;
      }
      const std::vector<CardViolation> violations = check_card(*text);
      std::string report =
          file + (violations.empty() ? ": a valid card\n" : ": not a valid card\n");
      for (const CardViolation& violation : violations)
        report += "  " + (violation.path.empty() ? "" : text::safe(violation.path) + ": ") +
                  violation.sentence + "\n";
      if (const Result<void> written = write_output("", text::safe_lines(report)); !written)
        return report_failure(written.error());
      if (!violations.empty()) code = kBadInput;
    }
    return code;
  }

  CLI::App* write_ = nullptr;
  CLI::App* render_ = nullptr;
  CLI::App* check_ = nullptr;
  StudyOptions options_;
  std::string arm_, output_, card_;
  std::string format_ = "json";
  std::vector<std::string> cards_;
};

}  // namespace

std::unique_ptr<Command> card_command(CLI::App& root) {
  return std::make_unique<CardCommand>(root);
}

}  // namespace unmask::cli
