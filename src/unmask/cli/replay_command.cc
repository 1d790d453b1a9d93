#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/cli/world_options.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/episode_sink.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/log_input.h"
#include "unmask/ingest/read_log.h"
#include "unmask/replay/episode_replay.h"
#include "unmask/replay/log_replay.h"
#include "unmask/replay/replay_episode.h"
#include "unmask/replay/task_book.h"
#include "unmask/report/replay_rendering.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::cli {
namespace {

/// The first pass: tasks, identity, and which episodes are superseded.
class HeadSink final : public EpisodeSink {
 public:
  explicit HeadSink(ProgressBar& bar) : bar_(bar) {}

  [[nodiscard]] bool wants_transcripts() const override { return true; }
  void header(const LogHeader& /*header*/) override {}
  bool episode(Episode /*episode*/) override { return true; }
  void superseded(std::size_t number) override { dropped_.insert(number); }
  bool progress(std::uint64_t done, std::uint64_t total) override {
    bar_.update(done, 2 * total, "B");
    return !interrupted();
  }

  [[nodiscard]] const std::set<std::size_t>& dropped() const { return dropped_; }

 private:
  ProgressBar& bar_;
  std::set<std::size_t> dropped_;
};

/// The second pass: each episode is replayed as it is read.
class ReplaySink final : public EpisodeSink {
 public:
  ReplaySink(const world::World& world, bool solo, const replay::TaskBook& tasks,
             const std::set<std::size_t>& dropped, ProgressBar& bar)
      : world_(world), solo_(solo), tasks_(tasks), dropped_(dropped), bar_(bar) {}

  [[nodiscard]] bool wants_transcripts() const override { return true; }
  void header(const LogHeader& /*header*/) override {}
  bool episode(Episode episode) override {
    if (!dropped_.contains(number_++)) replays_.add(replayed(episode));
    return true;
  }
  void superseded(std::size_t /*number*/) override {}
  bool progress(std::uint64_t done, std::uint64_t total) override {
    bar_.update(total + done, 2 * total, "B");
    return !interrupted();
  }

  [[nodiscard]] replay::LogReplay finish() { return std::move(replays_).finish(); }

 private:
  replay::EpisodeReplay replayed(const Episode& episode) {
    const replay::TaskBook::Found found = tasks_.find(episode);
    replay::EpisodeReplay replay = replay::replay_episode(episode, world_, found.task, solo_);
    if (found.by_record) replay.judged_as = found.task->id;
    return replay;
  }

  const world::World& world_;
  bool solo_;
  const replay::TaskBook& tasks_;
  const std::set<std::size_t>& dropped_;
  ProgressBar& bar_;
  replay::LogReplayBuilder replays_;
  std::size_t number_ = 0;
};

class Replay final : public Command {
 public:
  explicit Replay(CLI::App& root) {
    app_ = root.add_subcommand(
        "replay", "Execute a log's calls again: which results and rewards differ, and why");
    app_->add_option("logs", paths_, "files, folders, globs, or - for standard input")
        ->required()
        ->type_name("PATH");
    worlds_.add(*app_);
    app_->add_option("--domain", domain_, "world of logs that do not tell theirs")
        ->type_name("WORLD");
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
    const Result<std::vector<LogInput>> inputs = find_logs(paths_);
    if (!inputs) return report_failure(inputs.error());
    int code = kDone;
    Diagnostics diagnostics;
    std::vector<replay::LogReplay> replays;
    for (const LogInput& input : *inputs) {
      Result<replay::LogReplay> replay = replayed(input, diagnostics);
      if (replay) {
        replays.push_back(std::move(*replay));
        continue;
      }
      code = report_failure(replay.error());
      if (code == kInterrupted) return code;
    }
    if (replays.empty()) return code;
    const std::string text = format_ == "json"
                                 ? replay_json(replays)
                                 : replay_text(replays, text_style(options_, !output_.empty()));
    if (const Result<void> written = write_output(output_, text); !written)
      return report_failure(written.error());
    if (!options_.quiet) print_diagnostics(diagnostics, options_.verbose);
    if (options_.strict && diagnostics.any_warning()) {
      complain("--strict: the warnings above count as errors");
      return kBadInput;
    }
    return code;
  }

 private:
  Result<std::shared_ptr<const world::World>> loaded(const std::string& domain,
                                                     const std::string& log) {
    if (domain.empty()) {
      return fail(ErrorCode::bad_input, log + ": does not tell its world; name it with --domain (" +
                                            joined(worlds_.names(), ", ") + ")");
    }
    if (world::find_known_world(domain) == nullptr) {
      return fail(ErrorCode::bad_input, log + ": there is no world `" + domain +
                                            "` to replay it in; there are " +
                                            joined(worlds_.names(), ", "));
    }
    if (const auto found = loaded_.find(domain); found != loaded_.end()) return found->second;
    Result<std::shared_ptr<const world::World>> world = worlds_.load(domain);
    if (world) loaded_.emplace(domain, *world);
    return world;
  }

  Result<replay::LogReplay> replayed(const LogInput& input, Diagnostics& diagnostics) {
    const Result<LogFile> first = LogFile::open(input.files.at(0));
    if (!first) return tl::unexpected(first.error());
    ProgressBar bar("replaying", options_.quiet);
    HeadSink head(bar);
    Diagnostics remarks;
    const Result<LogHeader> header = read_log(input, *first, head, remarks);
    if (!header) return tl::unexpected(header.error());
    const std::string name = input.name == kStandardInput ? first->name() : input.name;
    if (!header->format.starts_with("tau2")) {
      return fail(ErrorCode::bad_input, name + ": is a log of the format `" + header->format +
                                            "`; only tau2-bench's logs can be replayed");
    }
    if (!header->inspect_only.empty())
      return fail(ErrorCode::bad_input, name + ": can't be replayed: " + header->inspect_only);
    const std::string& domain = domain_.empty() ? header->domain : domain_;
    const Result<std::shared_ptr<const world::World>> world = loaded(domain, name);
    if (!world) return tl::unexpected(world.error());
    const bool solo = header->identity.agent_implementation.ends_with("_solo");
    const replay::TaskBook tasks(*header, **world, remarks);
    ReplaySink sink(**world, solo, tasks, head.dropped(), bar);
    Diagnostics said_by_the_first_pass;
    const Result<LogHeader> again = read_log(input, *first, sink, said_by_the_first_pass);
    if (!again) return tl::unexpected(again.error());
    replay::LogReplay replay = sink.finish();
    replay.file = name;
    replay.domain = domain;
    replay.solo = solo;
    replay.data_source = worlds_.tau2_data.empty() ? "this project's own data" : worlds_.tau2_data;
    diagnostics.merge(remarks);
    return replay;
  }

  StudyOptions options_;
  WorldOptions worlds_;
  std::vector<std::string> paths_;
  std::string domain_;
  std::string format_ = "text";
  std::string output_;
  std::map<std::string, std::shared_ptr<const world::World>> loaded_;
};

}  // namespace

std::unique_ptr<Command> replay_command(CLI::App& root) { return std::make_unique<Replay>(root); }

}  // namespace unmask::cli
