#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/margin_job.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/decisions/decision_log.h"
#include "unmask/decisions/decisions_file.h"
#include "unmask/decisions/recorded_choices.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/ingest/log_file.h"
#include "unmask/margins/analyse.h"
#include "unmask/margins/findings.h"
#include "unmask/margins/margin.h"
#include "unmask/report/figures.h"
#include "unmask/report/margin_rendering.h"
#include "unmask/report/producer.h"
#include "unmask/run/run_study.h"

namespace unmask::cli {
namespace {

std::string counted(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// What a log recorded of its own choices, in words.
std::string recorded_text(const std::string& path, const decisions::RecordedChoices& recorded,
                          std::size_t bytes) {
  const ScoredDecisions& scored = recorded.scored;
  std::string text = path + ": " + std::to_string(scored.decisions.size()) + " of " +
                     counted(recorded.calls, "call") +
                     " of the agent have log-probabilities of the tool's name\n";
  if (recorded.without_choices > 0) {
    text += counted(recorded.without_choices, "call") +
            ": the log-probabilities leave the call's tokens out, as some servers do (Ollama); "
            "replay the decisions instead: unmask margins --contexts " +
            path + " --reference NAME=MODEL ... -o scores.jsonl\n";
  }
  if (scored.decisions.empty()) return text;
  std::size_t known = 0;
  std::size_t good = 0;
  std::size_t thin = 0;
  for (const ScoredDecision& decision : scored.decisions) {
    const std::optional<double> margin = margins::margin_of(decision, 0);
    if (!margin) continue;
    ++known;
    if (*margin > 0) ++good;
    if (std::abs(*margin) < 1.0) ++thin;
  }
  text += counted(known, "margin") + " known, " + std::to_string(good) + " of them above 0, " +
          std::to_string(thin) + " within 1 nat of it; " +
          std::to_string(scored.decisions.size() - known) +
          " not: no other name, or none of the other side, among the recorded likeliest\n";
  text += "as a file of scores: " + std::to_string((bytes + 512) / 1024) +
          " KiB. Recorded scores are never compared with replayed ones.\n";
  return text;
}

/// A log's recorded choices as the lines of a file.
std::string recorded_lines(const std::string& path, const decisions::DecisionLog& log,
                           const ScoredDecisions& scored) {
  decisions::DecisionsHeader header;
  header.producer = "unmask " + this_program().version;
  header.kind = "capture";
  header.contexts = {{path, log.header.sha256}};
  header.decisions = scored.decisions.size();
  std::string lines = decisions::header_line(header) + decisions::arm_line(0, scored.arms.front());
  for (std::size_t i = 0; i < scored.decisions.size(); ++i) {
    lines += decisions::decision_line(i, scored.decisions[i], std::nullopt);
    lines += decisions::score_line(
        {.decision = i, .arm = 0, .scores = scored.decisions[i].arms.front()});
  }
  return lines;
}

class Margins final : public Command {
 public:
  explicit Margins(CLI::App& root) {
    app_ = root.add_subcommand(
        "margins",
        "Replay recorded decisions in every arm: margins, noise, flips, what carries it");
    app_->add_option("file", file_,
                     "a file of scores to print, or a log with log-probabilities of its own")
        ->type_name("PATH");
    app_->add_option("--contexts", job_.contexts,
                     "log of the reference whose decisions are asked again")
        ->type_name("PATH");
    app_->add_option("--reference", reference_,
                     "who is compared with: a .gguf file, a URL (http://host:8000/v1#model), or an "
                     "endpoint of --study")
        ->type_name("NAME=MODEL");
    app_->add_option("--arm", arms_, "another arm, likewise; may be given several times")
        ->type_name("NAME=MODEL");
    app_->add_option("--study", study_, "a study of unmask run whose endpoints are named")
        ->type_name("FILE");
    app_->add_option("--names-from", job_.names_from,
                     "further logs whose hallucinated names are set against the offered ones")
        ->type_name("PATH");
    app_->add_option("--tempting", job_.settings.tempting,
                     "most inadmissible names (values) of a decision that come from the logs")
        ->capture_default_str();
    app_->add_option("--kinds", kinds_, "decisions to take [all]")
        ->check(CLI::IsMember({"call_or_answer", "tool_name", "enum_argument", "entity_argument"}))
        ->delimiter(',');
    app_->add_option("--most", job_.most, "at most so many decisions, of whole episodes [all]");
    app_->add_option("--temperature", temperatures_,
                     "also score at these temperatures, of models in the process [0.4]")
        ->check(CLI::Range(0.01, 10.0))
        ->delimiter(',');
    app_->add_option("--context-tokens", context_, "context of models in the process, in tokens");
    app_->add_option("--model-threads", model_threads_, "threads of a model in the process")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    app_->add_option("--tau2-data", job_.tau2_data,
                     "official data, for logs of tau2-bench's own agents: their instructions")
        ->type_name("FOLDER");
    app_->add_option("--format", format_, "text, json, markdown or csv")
        ->check(CLI::IsMember({"text", "json", "markdown", "csv"}))
        ->capture_default_str();
    app_->add_option("--figures", figures_, "writes figures as SVG files into this folder")
        ->type_name("FOLDER");
    app_->add_option(
            "-o,--output", output_,
            "with --contexts the file of scores, which is gone on with; else where to write "
            "the report, or a log's own scores")
        ->type_name("FILE");
    options_.add_general(*app_);
    options_.add_color(*app_);
  }

  int run() override {
    if (const Result<void> asked = check_request(); !asked) return report_failure(asked.error());
    Diagnostics diagnostics;
    const bool replays = !job_.contexts.empty();
    if (!replays) {
      const Result<bool> is_scores = holds_scores(file_);
      if (!is_scores) return report_failure(is_scores.error());
      if (!*is_scores) return show_recorded();
    }
    Result<ScoredDecisions> scored =
        replays ? replayed(diagnostics) : stored_scores(file_, diagnostics);
    if (!scored) return report_failure(scored.error());
    const margins::MarginFindings findings = margins::analyse(*scored);
    const std::string to = replays ? std::string() : output_;
    if (const Result<void> written = write_output(to, rendered(findings, to)); !written) {
      return report_failure(written.error());
    }
    if (const Result<void> drawn = draw(findings); !drawn) return report_failure(drawn.error());
    return finish(diagnostics);
  }

 private:
  [[nodiscard]] Result<void> check_request() const {
    const auto wrong = [](std::string text) {
      return fail(ErrorCode::invalid_argument, std::move(text));
    };
    if (job_.contexts.empty()) {
      if (!reference_.empty() || !arms_.empty()) {
        return wrong(
            "--reference and --arm need --contexts: the log whose decisions are asked again");
      }
      if (file_.empty()) {
        return wrong(
            "give a file of scores, or --contexts LOG with --reference NAME=MODEL and --arm "
            "NAME=MODEL to make one");
      }
      return output_place(output_, std::vector<std::string>{file_});
    }
    if (!file_.empty()) return wrong("give either a file of scores or --contexts, not both");
    if (reference_.empty()) return wrong("--contexts needs --reference NAME=MODEL");
    if (output_.empty() || output_ == "-") {
      return wrong("--contexts needs -o FILE: the scores, which a later call goes on with");
    }
    std::vector<std::string> inputs = job_.names_from;
    inputs.push_back(job_.contexts);
    inputs.push_back(study_);
    return output_place(output_, inputs);
  }

  static Result<bool> holds_scores(const std::string& path) {
    constexpr std::size_t kBeginning = 256;
    const Result<LogFile> file = LogFile::open(path);
    if (!file) return tl::unexpected(file.error());
    const Result<std::string> beginning = file->first_bytes(kBeginning);
    if (!beginning) return tl::unexpected(beginning.error());
    return decisions::is_decisions_file(*beginning);
  }

  Result<ScoredDecisions> replayed(Diagnostics& diagnostics) {
    std::optional<run::RunStudy> study;
    if (!study_.empty()) {
      Result<run::RunStudy> read = run::read_run_study(study_);
      if (!read) return tl::unexpected(read.error());
      study = std::move(*read);
    }
    std::vector<std::string> arms = {reference_};
    arms.insert(arms.end(), arms_.begin(), arms_.end());
    for (const std::string& arm : arms) {
      Result<run::EndpointPlan> plan = arm_plan(arm, study ? &*study : nullptr);
      if (!plan) return tl::unexpected(plan.error());
      const auto has_name = [&](const run::EndpointPlan& other) {
        return other.name == plan->name;
      };
      if (std::ranges::any_of(job_.arms, has_name)) {
        return fail(ErrorCode::invalid_argument, "two arms are called " + plan->name);
      }
      if (context_ > 0) plan->context = context_;
      plan->threads = std::max(plan->threads, model_threads_);
      if (study && !plan->gguf.empty() && !std::filesystem::path(plan->gguf).is_absolute()) {
        // As in the study, which may lie elsewhere.
        const std::filesystem::path beside =
            std::filesystem::path(study->path).parent_path() / plan->gguf;
        if (std::error_code none; std::filesystem::is_regular_file(beside, none)) {
          plan->gguf = beside.string();
        }
      }
      job_.arms.push_back(std::move(*plan));
    }
    if (!kinds_.empty()) {
      job_.settings.kinds = {};
      for (const std::string& kind : kinds_) {
        if (const std::optional<DecisionKind> known = decision_kind_from_name(kind)) {
          job_.settings.kinds.at(static_cast<std::size_t>(*known)) = true;
        }
      }
    }
    job_.output = output_;
    job_.temperatures = temperatures_;
    std::erase(job_.temperatures, 1.0);
    job_.quiet = options_.quiet;
    return replay_decisions(job_, diagnostics);
  }

  int show_recorded() {
    Diagnostics diagnostics;
    const Result<decisions::DecisionLog> log = decision_log(file_, options_.quiet, diagnostics);
    if (!log) return report_failure(log.error());
    const decisions::RecordedChoices recorded =
        decisions::recorded_choices(log->header, log->episodes);
    const std::string lines = recorded_lines(file_, *log, recorded.scored);
    if (!output_.empty()) {
      if (const Result<void> written = write_output(output_, lines); !written) {
        return report_failure(written.error());
      }
    }
    const std::string text = format_ == "text"
                                 ? recorded_text(file_, recorded, lines.size())
                                 : rendered(margins::analyse(recorded.scored), output_);
    if (const Result<void> written = write_output({}, text); !written) {
      return report_failure(written.error());
    }
    return finish(diagnostics);
  }

  [[nodiscard]] std::string rendered(const margins::MarginFindings& findings,
                                     const std::string& to) const {
    if (format_ == "json") return margin_json(findings);
    if (format_ == "csv") return for_destination(to, margin_csv(findings));
    if (format_ == "markdown") return for_destination(to, margin_markdown(findings));
    return margin_text(findings, text_style(options_, !to.empty()));
  }

  [[nodiscard]] Result<void> draw(const margins::MarginFindings& findings) const {
    if (figures_.empty()) return {};
    std::error_code error;
    std::filesystem::create_directories(figures_, error);
    if (error) {
      return fail(ErrorCode::outside, figures_ + ": no folder can be made there (" +
                                          error.message() + "); give another one to --figures");
    }
    for (const FigureFile& figure : margin_figures(findings)) {
      const std::string path = (std::filesystem::path(figures_) / figure.name).string();
      if (Result<void> written = write_output(path, figure.svg); !written) return written;
    }
    return {};
  }

  [[nodiscard]] int finish(const Diagnostics& diagnostics) const {
    if (!options_.quiet) print_diagnostics(diagnostics, options_.verbose);
    return options_.strict && diagnostics.any_warning() ? kBadInput : kDone;
  }

  StudyOptions options_;
  MarginJob job_;
  std::string file_;
  std::string reference_;
  std::vector<std::string> arms_;
  std::string study_;
  std::vector<std::string> kinds_;
  std::vector<double> temperatures_ = {0.4};
  std::uint32_t context_ = 0;
  std::uint32_t model_threads_ = 1;
  std::string format_ = "text";
  std::string figures_;
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> margins_command(CLI::App& root) { return std::make_unique<Margins>(root); }

}  // namespace unmask::cli
