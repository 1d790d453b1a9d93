#include <cstddef>
#include <cstdint>
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
#include "unmask/cli/each_log.h"
#include "unmask/cli/reexecution.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/cli/world_options.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/episode_sink.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/log_input.h"
#include "unmask/ingest/read_log.h"
#include "unmask/replay/log_replay.h"
#include "unmask/replay/replay_episode.h"
#include "unmask/replay/task_book.h"
#include "unmask/report/replay_rendering.h"
#include "unmask/study/log_head.h"
#include "unmask/world/world.h"

namespace unmask::cli {
namespace {

/// The second pass: each episode is replayed as it is read.
class ReplaySink final : public EpisodeSink {
 public:
  ReplaySink(const world::World& world, const replay::ReplaySettings& settings,
             const replay::TaskBook& tasks, const std::set<std::size_t>& dropped, bool read_ahead,
             ProgressBar& bar)
      : world_(world),
        settings_(settings),
        tasks_(tasks),
        dropped_(dropped),
        read_ahead_(read_ahead),
        bar_(bar) {}

  [[nodiscard]] bool wants_transcripts() const override { return true; }
  [[nodiscard]] bool wants_read_ahead() const override { return read_ahead_; }
  void header(const LogHeader& /*header*/) override {}
  bool episode(Episode episode) override {
    if (!dropped_.contains(number_++)) {
      replays_.add(replay::replay_episode(episode, world_, tasks_.find(episode), settings_));
    }
    return true;
  }
  void superseded(std::size_t /*number*/) override {}
  bool progress(std::uint64_t done, std::uint64_t total) override {
    bar_.update(total + done, 2 * total, "B");
    return !interrupted();
  }

  [[nodiscard]] replay::LogReplay finish() { return std::move(replays_).finish(); }

 private:
  const world::World& world_;
  replay::ReplaySettings settings_;
  const replay::TaskBook& tasks_;
  const std::set<std::size_t>& dropped_;
  bool read_ahead_;
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
    options_.add_color(*app_);
  }

  int run() override {
    if (const Result<void> place = output_place(output_, input_files(options_, paths_)); !place)
      return report_failure(place.error());
    if (const Result<void> there = worlds_.check(); !there) return report_failure(there.error());
    std::vector<replay::LogReplay> replays;
    const EachLog logs =
        for_each_log(paths_, [&](const LogInput& input, Diagnostics& diagnostics) -> Result<void> {
          Result<replay::LogReplay> replay = replayed(input, diagnostics);
          if (!replay) return tl::unexpected(replay.error());
          replays.push_back(std::move(*replay));
          return {};
        });
    return finish_each_log(logs, options_, output_,
                           format_ == "json"
                               ? replay_json(replays)
                               : replay_text(replays, text_style(options_, !output_.empty())));
  }

 private:
  Result<std::shared_ptr<const world::World>> world_of(const std::string& domain,
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
    return worlds_.load(domain);
  }

  Result<replay::LogReplay> replayed(const LogInput& input, Diagnostics& diagnostics) {
    const Result<LogFile> first = LogFile::open(input.files.at(0));
    if (!first) return tl::unexpected(first.error());
    ProgressBar bar("replaying", options_.quiet);
    const bool read_ahead = options_.thread_count() > 1;
    const Result<LogHead> head = read_head(input, *first, diagnostics,
                                           {.progress =
                                                [&bar](std::uint64_t done, std::uint64_t total) {
                                                  bar.update(done, 2 * total, "B");
                                                  return !interrupted();
                                                },
                                            .read_ahead = read_ahead});
    if (!head) return tl::unexpected(head.error());
    const LogHeader& header = head->header;
    const std::string name = input.name == kStandardInput ? first->name() : input.name;
    if (!is_replayable(header)) {
      return fail(ErrorCode::bad_input, name + ": is a log of the format `" + header.format +
                                            "`; only tau2-bench's logs can be replayed");
    }
    if (!header.inspect_only.empty())
      return fail(ErrorCode::bad_input, name + ": can't be replayed: " + header.inspect_only);
    const std::string& domain = domain_.empty() ? header.domain : domain_;
    const Result<std::shared_ptr<const world::World>> world = world_of(domain, name);
    if (!world) return tl::unexpected(world.error());
    const replay::ReplaySettings settings{.solo = is_solo(header), .reward = true};
    const replay::TaskBook tasks(header, **world, diagnostics);
    ReplaySink sink(**world, settings, tasks, head->superseded, read_ahead, bar);
    Diagnostics said_by_the_first_pass;
    const Result<LogHeader> again = read_log(input, *first, sink, said_by_the_first_pass);
    if (!again) return tl::unexpected(again.error());
    replay::LogReplay replay = sink.finish();
    if (replay.is_of_another_world()) {
      return fail(ErrorCode::bad_input,
                  name + ": is no log of the world " + domain + ": it calls tools that this one " +
                      "doesn't have, and none that it has; name its world with --domain (" +
                      joined(worlds_.names(), ", ") + ")");
    }
    replay.file = name;
    replay.domain = domain;
    replay.solo = settings.solo;
    replay.data_source = worlds_.tau2_data.empty() ? "this project's own data" : worlds_.tau2_data;
    return replay;
  }

  StudyOptions options_;
  WorldOptions worlds_;
  std::vector<std::string> paths_;
  std::string domain_;
  std::string format_ = "text";
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> replay_command(CLI::App& root) { return std::make_unique<Replay>(root); }

}  // namespace unmask::cli
