#include "unmask/cli/reexecution.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/cli/world_options.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"
#include "unmask/replay/episode_replay.h"
#include "unmask/replay/log_replay.h"
#include "unmask/replay/replay_episode.h"
#include "unmask/replay/task_book.h"
#include "unmask/study/reexecution.h"
#include "unmask/world/world.h"

namespace unmask::cli {
namespace {

/// What a diagnosis and a row take of a replayed episode.
Reexecution reexecution_of(const Episode& episode, const replay::EpisodeReplay& replay) {
  Reexecution result;
  if (!replay.not_replayed.empty()) {
    result.facts.status = ReexecutionFacts::Status::not_possible;
    return result;
  }
  result.facts.status = ReexecutionFacts::Status::done;
  result.calls.resize(replay.calls);
  for (const replay::FailedCall& failed : replay.failed_calls) {
    const ToolCall& call = episode.calls[failed.call];
    if (!failed.same && call.party == Party::agent && !call.in_history) ++result.facts.differing;
    if (!failed.cause) continue;
    result.calls[failed.call] =
        ReexecutionOutcome{failed.cause->channel, std::string(failed.cause->kind)};
  }
  if (const auto& writes = replay.stray_writes) {
    result.facts.golden_actions_known = true;
    result.facts.stray_writes = writes->count;
    if (writes->first) {
      result.facts.first_stray_write = static_cast<std::uint32_t>(*writes->first);
    }
  }
  return result;
}

/// The world in which a log's episodes are executed again.
class WorldReexecution final : public LogReexecution {
 public:
  WorldReexecution(const LogHeader& header, std::shared_ptr<const world::World> world,
                   Diagnostics& diagnostics)
      : file_(header.file),
        world_(std::move(world)),
        tasks_(header, *world_, diagnostics),
        settings_{.solo = is_solo(header), .reward = false} {}

  [[nodiscard]] Reexecution of(const Episode& episode) override {
    const replay::EpisodeReplay replay =
        replay::replay_episode(episode, *world_, tasks_.find(episode), settings_);
    replays_.add(replay);
    return reexecution_of(episode, replay);
  }

  void finish(Diagnostics& diagnostics) override {
    const replay::LogReplay log = std::move(replays_).finish();
    for (const auto& [reason, episodes] : log.not_replayed) {
      remark(diagnostics, "not_reexecuted",
             std::to_string(episodes) + " of " + std::to_string(log.episodes) +
                 " episodes could not be executed again (" + reason +
                 "); rules on the error texts decide why their calls failed");
    }
    if (log.data != replay::DataVerdict::other) return;
    std::size_t reads = 0;
    std::size_t differ = 0;
    for (const replay::ReadCount& count : log.first_reads) {
      reads += count.reads;
      differ += count.differ;
    }
    remark(diagnostics, "other_data",
           "the log was made with other data: " + std::to_string(differ) + " of " +
               std::to_string(reads) +
               " reads before anything was written differ; where a call fails otherwise than in "
               "the log, rules on the error text decide; see unmask replay, and give its data with "
               "--tau2-data");
  }

 private:
  void remark(Diagnostics& diagnostics, std::string code, std::string sentence) const {
    diagnostics.add({.code = std::move(code),
                     .severity = Severity::data_loss,
                     .file = file_,
                     .episode = {},
                     .sentence = std::move(sentence),
                     .offset = {}});
  }

  std::string file_;
  std::shared_ptr<const world::World> world_;
  replay::TaskBook tasks_;
  replay::ReplaySettings settings_;
  replay::LogReplayBuilder replays_;
};

}  // namespace

bool is_replayable(const LogHeader& header) { return header.format.starts_with("tau2"); }

bool is_solo(const LogHeader& header) {
  return header.identity.agent_implementation.ends_with("_solo");
}

void ReexecutionOptions::add(CLI::App& app) {
  app.add_flag("--replay", replay_,
               "execute the calls again in the worlds retail, telecom and mock: evidence of why "
               "they failed, and of writes that nobody asked for");
  worlds_.add(app);
}

ReexecutionSource ReexecutionOptions::source() {
  if (!replay_) return {};
  return [this](const LogHeader& header, const std::string& domain, Diagnostics& diagnostics) {
    return of_log(header, domain, diagnostics);
  };
}

Result<std::unique_ptr<LogReexecution>> ReexecutionOptions::of_log(const LogHeader& header,
                                                                   const std::string& domain,
                                                                   Diagnostics& diagnostics) {
  const auto no_world = [&](const std::string& why) -> std::unique_ptr<LogReexecution> {
    diagnostics.add({.code = "not_reexecuted",
                     .severity = Severity::data_loss,
                     .file = header.file,
                     .episode = {},
                     .sentence = "its calls were not executed again: " + why +
                                 "; rules on the error texts decide why they failed",
                     .offset = {}});
    return nullptr;
  };
  if (!is_replayable(header)) return no_world("it is no log of tau2-bench");
  if (!header.inspect_only.empty()) return no_world(header.inspect_only);
  if (domain.empty()) return no_world("it does not tell its world; name it with --domain");
  if (world::find_known_world(domain) == nullptr) {
    return no_world("there is no world `" + domain + "`; there are " +
                    joined(worlds_.names(), ", "));
  }
  const std::scoped_lock lock(loading_);
  Result<std::shared_ptr<const world::World>> world = worlds_.load(domain);
  if (!world) return tl::unexpected(world.error());
  return std::make_unique<WorldReexecution>(header, std::move(*world), diagnostics);
}

}  // namespace unmask::cli
