#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/cli/arm_argument.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/convert_targets.h"
#include "unmask/cli/each_log.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/convert/log_survey.h"
#include "unmask/convert/log_writer.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/episode_sink.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/log_input.h"
#include "unmask/ingest/read_log.h"
#include "unmask/study/log_facts.h"

namespace unmask::cli {
namespace {

/// The first pass: header, tasks, and which episodes are superseded.
class SurveySink final : public EpisodeSink {
 public:
  SurveySink(LogSurvey& survey, bool transcripts, bool read_ahead, ProgressBar& bar)
      : survey_(survey), transcripts_(transcripts), read_ahead_(read_ahead), bar_(bar) {}

  [[nodiscard]] bool wants_read_ahead() const override { return read_ahead_; }
  [[nodiscard]] bool wants_transcripts() const override { return transcripts_; }
  void header(const LogHeader& /*header*/) override {}
  bool episode(Episode episode) override {
    calls_ += episode.calls.size();
    ++episodes_;
    survey_.see(episode);
    return true;
  }
  void superseded(std::size_t number) override { dropped_.insert(number); }
  bool progress(std::uint64_t done, std::uint64_t total) override {
    bar_.update(done, 2 * total, "B");
    return !interrupted();
  }

  [[nodiscard]] const std::set<std::size_t>& dropped() const { return dropped_; }
  [[nodiscard]] std::size_t calls() const { return calls_; }
  [[nodiscard]] std::size_t episodes() const { return episodes_; }

 private:
  LogSurvey& survey_;
  bool transcripts_;
  bool read_ahead_;
  ProgressBar& bar_;
  std::set<std::size_t> dropped_;
  std::size_t calls_ = 0;
  std::size_t episodes_ = 0;
};

/// The second pass, of formats with messages.
class WritingSink final : public EpisodeSink {
 public:
  WritingSink(LogWriter& writer, const std::set<std::size_t>& dropped, bool read_ahead,
              ProgressBar& bar)
      : writer_(writer), dropped_(dropped), read_ahead_(read_ahead), bar_(bar) {}

  [[nodiscard]] bool wants_read_ahead() const override { return read_ahead_; }
  [[nodiscard]] bool wants_transcripts() const override { return true; }
  void header(const LogHeader& /*header*/) override {}
  bool episode(Episode episode) override {
    if (!dropped_.contains(number_++)) writer_.episode(episode, {});
    return true;
  }
  void superseded(std::size_t /*number*/) override {}
  bool progress(std::uint64_t done, std::uint64_t total) override {
    bar_.update(total + done, 2 * total, "B");
    return !interrupted();
  }

 private:
  LogWriter& writer_;
  const std::set<std::size_t>& dropped_;
  bool read_ahead_;
  ProgressBar& bar_;
  std::size_t number_ = 0;
};

class Convert final : public Command {
 public:
  explicit Convert(CLI::App& root) {
    app_ = root.add_subcommand(
        "convert", "Write a log in another format: tau2-bench, OpenAI chat lines, a plain table");
    app_->add_option("logs", paths_, "files, folders, globs, or - for standard input")
        ->required()
        ->type_name("PATH");
    app_->add_option("--to", format_,
                     "tau2 (a results file), openai (chat messages, an episode a line) or table "
                     "(unmask.table/1, calls alone)")
        ->required()
        ->check(CLI::IsMember({"tau2", "openai", "table"}));
    app_->add_option(
            "-o,--output", output_,
            "file (packed if it ends in .gz or .zst), or a folder for several logs; without it, "
            "standard output")
        ->type_name("PATH");
    app_->add_flag("--texts", texts_, "a table keeps arguments and results of calls");
    options_.add_knowledge(*app_);
    options_.add_general(*app_);
  }

  int run() override {
    const Result<UserKnowledge> knowledge = read_knowledge(options_);
    if (!knowledge) return report_failure(knowledge.error());
    const Result<std::vector<LogInput>> inputs = find_logs(without_names(paths_));
    if (!inputs) return report_failure(inputs.error());
    const Result<std::vector<std::string>> targets = convert_targets(*inputs, output_, format());
    if (!targets) return report_failure(targets.error());
    auto target = targets->begin();
    const EachLog logs = for_each_log(*inputs, [&](const LogInput& input, Diagnostics&) {
      return convert(input, *target++, *knowledge);
    });
    if (!options_.quiet) print_diagnostics(logs.diagnostics, options_.verbose);
    return logs.exit_code;
  }

 private:
  [[nodiscard]] LogFormat format() const {
    return log_format_from_name(format_).value_or(LogFormat::table);
  }

  [[nodiscard]] bool read_ahead() const { return options_.thread_count() > 1; }

  Result<void> convert(const LogInput& input, const std::string& path,
                       const UserKnowledge& knowledge) {
    const Result<LogFile> first = LogFile::open(input.files.at(0));
    if (!first) return tl::unexpected(first.error());
    const std::string name = input.name == kStandardInput ? first->name() : input.name;
    Diagnostics diagnostics;
    Losses losses;
    {
      ProgressBar bar("converting", options_.quiet);
      LogSurvey survey;
      SurveySink sink(survey, format() == LogFormat::tau2, read_ahead(), bar);
      Diagnostics said_by_the_second_pass;
      Result<LogHeader> header = read_log(input, *first, sink, said_by_the_second_pass);
      if (!header) return tl::unexpected(header.error());
      if (!header->inspect_only.empty() && sink.calls() == 0) {
        return fail(ErrorCode::bad_input, name + ": can't be converted: " + header->inspect_only);
      }
      if (sink.episodes() == 0 && format() == LogFormat::openai) {
        return fail(ErrorCode::bad_input,
                    name + ": holds no episode, and chat lines have nothing else");
      }
      survey.finish(std::move(*header));
      Result<ConvertTarget> target = ConvertTarget::open(path);
      if (!target) return tl::unexpected(target.error());
      const std::unique_ptr<LogWriter> writer =
          log_writer(format(), survey, {.texts = texts_},
                     [&target](std::string_view text) { target->write(text); });
      writer->begin();
      Result<void> written =
          write(input, *first, sink.dropped(), *writer, knowledge, diagnostics, bar);
      if (!written) return written;
      writer->end();
      losses = writer->losses();
      if (options_.strict && diagnostics.any_warning()) {
        print_diagnostics(diagnostics, options_.verbose);
        return fail(ErrorCode::bad_input, "--strict: the warnings above count as errors");
      }
      Result<void> committed = target->commit();
      if (!committed) return committed;
    }
    if (options_.quiet) return {};
    print_diagnostics(diagnostics, options_.verbose);
    for (const auto& [sentence, episodes] : losses) {
      complain("note: " + name + ": " + sentence + " (" + std::to_string(episodes) +
               (episodes == 1 ? " episode)" : " episodes)"));
    }
    return {};
  }

  Result<void> write(const LogInput& input, const LogFile& first,
                     const std::set<std::size_t>& dropped, LogWriter& writer,
                     const UserKnowledge& knowledge, Diagnostics& diagnostics, ProgressBar& bar) {
    if (format() != LogFormat::table) {
      WritingSink sink(writer, dropped, read_ahead(), bar);
      const Result<LogHeader> header = read_log(input, first, sink, diagnostics);
      if (!header) return tl::unexpected(header.error());
      return {};
    }
    // A table has no texts to diagnose failed calls from, so it says what they show.
    std::size_t number = 0;
    const FactsReading how{
        .domain = {},
        .progress =
            [&bar](std::uint64_t done, std::uint64_t total) {
              bar.update(total + done, 2 * total, "B");
              return !interrupted();
            },
        .visitor =
            [&](const Episode& episode, std::span<const CallDiagnosis> diagnoses) {
              if (!dropped.contains(number++)) writer.episode(episode, diagnoses);
            },
        .first = &first,
        .threads = options_.thread_count()};
    const Result<LogFacts> facts = read_log_facts(input, knowledge, diagnostics, how);
    if (!facts) return tl::unexpected(facts.error());
    return {};
  }

  StudyOptions options_;
  std::vector<std::string> paths_;
  std::string format_;
  std::string output_;
  bool texts_ = false;
};

}  // namespace

std::unique_ptr<Command> convert_command(CLI::App& root) { return std::make_unique<Convert>(root); }

}  // namespace unmask::cli
