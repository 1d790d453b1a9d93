#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/error.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/power/power.h"
#include "unmask/power/power_report.h"
#include "unmask/report/json_values.h"
#include "unmask/report/producer.h"
#include "unmask/report/terminal_text.h"
#include "unmask/study/study_reader.h"

namespace unmask::cli {
namespace {

class PowerCommand final : public Command {
 public:
  explicit PowerCommand(CLI::App& root) {
    app_ = root.add_subcommand("power",
                               "How many tasks and trials show a given amplification or widening?");
    app_->add_option("log", options_.arms,
                     "a reference's log to take rates, lengths and clustering from")
        ->type_name("[NAME=]PATH");
    app_->add_option("--domain", domain_, "without a log: telecom (users have tools) or retail")
        ->check(CLI::IsMember({"telecom", "retail"}))
        ->capture_default_str();
    app_->add_option("--rate", rate_,
                     "base rate: failed calls a call of the reference [0.2, or the log's]")
        ->check(CLI::Range(0.0001, 0.9));
    app_->add_option("--amplification", amplifications_,
                     "ratios of errors an episode to find [1.5, 2.5]")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(0.05, 100.0));
    app_->add_option("--widening", widenings_, "widenings of the gap to find, in points")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(0.1, 100.0));
    app_->add_option("--tasks", tasks_, "numbers of tasks to try [20, 50, 114, 200]")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(2, 5000));
    app_->add_option("--trials", trials_, "numbers of trials a task to try [1, 4]")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(1, 100));
    app_->add_option("--target", target_, "power to reach")
        ->check(CLI::Range(0.01, 0.999))
        ->capture_default_str();
    app_->add_option("--studies", studies_, "simulated studies a design and effect")
        ->check(CLI::Range(10, 100000))
        ->capture_default_str();
    app_->add_option("--comparisons", comparisons_,
                     "arms that the whole study will compare (they share alpha)")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    options_.add_settings(*app_);
    app_->add_option("--format", format_, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    app_->add_option("-o,--output", output_, "write to a file instead of standard output")
        ->type_name("FILE");
    options_.add_general(*app_);
  }

  int run() override {
    if (const Result<void> place = output_place(output_); !place)
      return report_failure(place.error());
    Result<power::PowerQuestion> question = asked();
    if (!question) return report_failure(question.error());
    ProgressBar bar("simulating", options_.quiet);
    const Result<power::PowerAnswer> answer =
        power::power(*question, [&bar](std::size_t done, std::size_t total) {
          bar.update(done, total, "studies");
          return !interrupted();
        });
    if (!answer) return report_failure(answer.error());
    const Producer program = this_program();
    // Its domain stands in the log as somebody wrote it.
    const Result<void> written = write_output(
        output_,
        format_ == "json"
            ? json_report::with_escapes(power::power_json(*answer, program.version, program.commit))
            : text::safe_lines(power::power_text(*answer, !standard_output().unicode)));
    return written ? kDone : report_failure(written.error());
  }

 private:
  // The process: from a log if one is given, else the simulated study's.
  Result<power::PowerQuestion> process() {
    if (options_.arms.empty()) return power::power_question(domain_, rate_.value_or(0.2));
    Result<StudyRead> study = read_inputs(options_);
    if (!study) return tl::unexpected(study.error());
    if (study->cells.size() != 1 || study->cells.front().arms.size() != 1) {
      return fail(ErrorCode::invalid_argument, "give the log of one arm: the reference");
    }
    if (!options_.quiet) print_diagnostics(study->diagnostics, options_.verbose);
    Result<power::PowerQuestion> question =
        power::power_question(study->cells.front().arms.front().facts);
    if (!question || !rate_) return question;
    return power::with_base_rate(std::move(*question), *rate_);
  }

  Result<power::PowerQuestion> asked() {
    Result<power::PowerQuestion> question = process();
    if (!question) return question;
    if (!amplifications_.empty() || !widenings_.empty()) question->effects.clear();
    for (const double ratio : amplifications_) {
      question->effects.push_back({power::Effect::Kind::amplification, ratio});
    }
    for (const double points : widenings_) {
      question->effects.push_back({power::Effect::Kind::widening, points / 100.0});
    }
    if (!tasks_.empty()) question->tasks = tasks_;
    if (!trials_.empty()) question->trials = trials_;
    question->target = target_;
    question->replicates = studies_;
    question->comparisons = comparisons_;
    question->audit = options_.audit_settings();
    question->threads = options_.thread_count();
    return question;
  }

  StudyOptions options_;
  std::string domain_ = "telecom";
  std::optional<double> rate_;
  std::vector<double> amplifications_, widenings_;
  std::vector<int> tasks_, trials_;
  double target_ = 0.8;
  std::uint32_t studies_ = 200, comparisons_ = 1;
  std::string format_ = "text", output_;
};

}  // namespace

std::unique_ptr<Command> power_command(CLI::App& root) {
  return std::make_unique<PowerCommand>(root);
}

}  // namespace unmask::cli
