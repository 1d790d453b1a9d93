#include "unmask/replay/replay_episode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/replay/episode_replay.h"
#include "unmask/replay/known_versions.h"
#include "unmask/replay/result_difference.h"
#include "unmask/replay/reward_replay.h"
#include "unmask/replay/task_book.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::replay {
namespace {

using world::CallResult;
using world::Environment;
using world::Value;

constexpr std::string_view kNoTask = "its task is neither in the log nor in the data";

/// An episode's calls in the world's form; nullopt: the arguments are no JSON object.
using Calls = std::vector<std::optional<world::ToolCall>>;

Calls calls_of(const Episode& episode) {
  Calls calls;
  calls.reserve(episode.calls.size());
  for (const ToolCall& call : episode.calls) {
    std::optional<world::ToolCall>& readable = calls.emplace_back();
    Result<Value> arguments = world::parse_json(call.arguments);
    if (!arguments || arguments->object() == nullptr) continue;
    readable = world::ToolCall{call.id, call.name, std::move(*arguments->object()), call.party};
  }
  return calls;
}

/// Null: the task names none.
const std::vector<world::GoldenAction>* golden_actions_of(const world::Task* task) {
  if (task == nullptr || !task->evaluation_criteria || !task->evaluation_criteria->actions) {
    return nullptr;
  }
  return &*task->evaluation_criteria->actions;
}

world::Role role_of(MessageRole role) {
  switch (role) {
    case MessageRole::system:
      return world::Role::system;
    case MessageRole::agent:
      return world::Role::assistant;
    case MessageRole::user:
      return world::Role::user;
    case MessageRole::tool:
      return world::Role::tool;
  }
  return world::Role::system;
}

class EpisodeRun {
 public:
  /// `golden` is null where the task names no golden actions.
  EpisodeRun(const Episode& episode, const Calls& calls,
             const std::vector<world::GoldenAction>* golden, Environment& environment,
             EpisodeReplay& replay)
      : episode_(episode),
        calls_(calls),
        golden_(golden),
        environment_(environment),
        replay_(replay) {}

  void run() {
    std::size_t i = 0;
    while (i < episode_.calls.size()) {
      const std::uint32_t message = episode_.calls[i].message;
      for (; i < episode_.calls.size() && episode_.calls[i].message == message; ++i) call(i);
      (void)environment_.sync();  // as after each turn of a live run; what it raises ends no run
    }
    if (golden_ != nullptr) replay_.stray_writes = stray_;
  }

 private:
  /// Whether neither party has such a tool.
  [[nodiscard]] bool is_foreign(const ToolCall& call) const {
    return !environment_.mutates(call.name).has_value();
  }

  void call(std::size_t index) {
    const ToolCall& recorded = episode_.calls[index];
    if (!recorded.answered) {
      ++replay_.unanswered;
      return;
    }
    const std::optional<world::ToolCall>& call = calls_[index];
    if (!call) {
      ++replay_.unreadable;
      return;
    }
    // Before it is executed: what the write is held against must not be changed by it.
    const std::unique_ptr<Environment> before =
        is_no_golden_action(recorded, *call) ? environment_.clone() : nullptr;
    const CallResult live = environment_.call(*call);
    ++replay_.compared;
    const std::optional<bool> mutates = environment_.mutates(recorded.name);
    const bool fresh = !written_ && mutates == false;
    const std::optional<ResultDifference> difference = difference_of(recorded.result, live.content);
    bool same_data = true;
    if (difference) {
      add(index, *difference, live, fresh);
      same_data = replay_.differences.back().cause != Cause::other_data;
    } else if (recorded.failed != live.error) {
      const auto flag = [](bool failed) { return failed ? "error: true" : "error: false"; };
      add(index, {"(error flag)", flag(recorded.failed), flag(live.error)}, live, false);
    } else if (recorded.result != live.content) {
      ++replay_.other_text;
    }
    if (fresh && same_data) {
      replay_.first_reads.push_back({recorded.name, {}, {}, true});
    } else if (fresh) {
      replay_.first_reads.push_back({recorded.name, recorded.arguments, recorded.result, false});
    }
    if (recorded.failed) {
      const bool same = live.error && !difference;
      replay_.failed_calls.push_back({index, same, same ? live.cause : std::nullopt});
    } else if (before != nullptr && (live.error || is_stray(*call, *before))) {
      if (stray_.count++ == 0) stray_.first = index;
    }
    if (mutates == true && !(recorded.failed && live.error)) written_ = true;
  }

  /// A successful write by the agent, with a tool of its own, that matches no golden action.
  [[nodiscard]] bool is_no_golden_action(const ToolCall& recorded,
                                         const world::ToolCall& call) const {
    if (golden_ == nullptr || recorded.failed || recorded.party != Party::agent ||
        recorded.in_history) {
      return false;
    }
    const world::Tool* tool = environment_.toolkit(Party::agent)->find_tool(recorded.name);
    return tool != nullptr && tool->mutates() &&
           std::ranges::none_of(*golden_, [&](const world::GoldenAction& action) {
             return world::matches(action, call);
           });
  }

  /// Whether the write, just executed, left another state than there was `before`, and than golden
  /// actions of its tool would have left.
  [[nodiscard]] bool is_stray(const world::ToolCall& call, const Environment& before) const {
    if (environment_.has_same_state(before)) return false;
    return std::ranges::none_of(*golden_, [&](const world::GoldenAction& action) {
      if (action.name != call.name || action.requestor != Party::agent) return false;
      const std::unique_ptr<Environment> other = before.clone();
      const CallResult result =
          other->call({call.id, action.name, action.arguments, action.requestor});
      return !result.error && environment_.has_same_state(*other);
    });
  }

  void add(std::size_t index, const ResultDifference& found, const CallResult& live, bool fresh) {
    const ToolCall& recorded = episode_.calls[index];
    CallDifference difference{.call = index,
                              .message = recorded.message,
                              .tool = recorded.name,
                              .arguments = recorded.arguments,
                              .cause = Cause::unexplained,
                              .known = {},
                              .place = found.place,
                              .recorded = found.recorded,
                              .replayed = found.replayed};
    const KnownVersion* known =
        known_version_of({environment_.domain(), recorded.name, recorded.result, live.content});
    if (live.error && !recorded.failed && is_foreign(recorded)) {
      difference.cause = Cause::foreign_tool;
    } else if (known != nullptr) {
      difference.cause = Cause::known_version;
      difference.known = known->id;
    } else if (same_but_for_drawn_ids(recorded.result, live.content)) {
      difference.cause = Cause::drawn_id;
    } else if (fresh) {
      difference.cause = Cause::other_data;
    } else if (parted_) {
      difference.cause = Cause::follows;
    }
    const bool harmless = difference.cause == Cause::foreign_tool ||
                          (difference.cause == Cause::known_version && !known->changes_state);
    parted_ = parted_ || !harmless;
    replay_.differences.push_back(std::move(difference));
  }

  const Episode& episode_;
  const Calls& calls_;
  const std::vector<world::GoldenAction>* golden_;
  Environment& environment_;
  EpisodeReplay& replay_;
  StrayWrites stray_;
  bool written_ = false;  ///< a write may have changed one of the states
  bool parted_ = false;   ///< the recorded state may not be this one any more
};

/// Whose tools the episode calls, whether or not it can be replayed.
void count_tools(const Episode& episode, const world::EnvironmentSetup& setup,
                 EpisodeReplay& replay) {
  constexpr std::string_view kOfEveryWorld = "transfer_to_human_agents";
  for (const ToolCall& call : episode.calls) {
    const bool known = setup.agent.find_tool(call.name) != nullptr ||
                       (setup.user && setup.user->find_tool(call.name) != nullptr);
    if (known && call.name != kOfEveryWorld) ++replay.own_calls;
    if (!known && call.answered && !call.failed) ++replay.foreign_calls;
  }
}

std::vector<world::Message> messages_of(const Episode& episode, const Calls& calls) {
  std::vector<world::Message> messages;
  messages.reserve(episode.transcript.size());
  for (const Message& source : episode.transcript) {
    world::Message message;
    message.role = role_of(source.role);
    if (!source.text.empty() || source.role == MessageRole::tool) message.content = source.text;
    if (source.call_count > 0) {
      message.tool_calls.emplace();
      for (std::uint32_t i = 0; i < source.call_count; ++i) {
        const std::size_t index = source.first_call + i;
        const ToolCall& call = episode.calls.at(index);
        if (calls[index]) {
          message.tool_calls->push_back(*calls[index]);
          continue;
        }
        world::ToolCall unreadable;
        unreadable.id = call.id;
        unreadable.name = call.name;
        unreadable.requestor = call.party;
        unreadable.unreadable_arguments = call.arguments;
        message.tool_calls->push_back(std::move(unreadable));
      }
    }
    if (source.answers) {
      const ToolCall& call = episode.calls.at(*source.answers);
      message.id = call.id;
      message.requestor = call.party;
      message.error = call.failed;
    }
    messages.push_back(std::move(message));
  }
  return messages;
}

}  // namespace

std::vector<world::Message> messages_of(const Episode& episode) {
  return messages_of(episode, calls_of(episode));
}

EpisodeReplay replay_episode(const Episode& episode, const world::World& world,
                             const TaskBook::Found& judged, const ReplaySettings& settings) {
  const world::Task* task = judged.task;
  EpisodeReplay replay;
  replay.id = episode.id;
  replay.task_id = episode.task_id;
  replay.trial = episode.trial;
  replay.calls = episode.calls.size();
  count_tools(episode, world.setup(), replay);
  replay.reward.recorded = episode.reward;
  if (judged.by_record) replay.judged_as = task->id;
  if (task == nullptr) {
    replay.reward.reason = kNoTask;
    if (std::ranges::any_of(world.tasks(), [](const world::Task& other) {
          return other.initial_state.has_value();
        })) {
      replay.not_replayed = kNoTask;
      return replay;
    }
  }
  const world::Outcome<std::unique_ptr<Environment>> environment =
      world.make_environment(settings.solo);
  if (!environment) {
    replay.not_replayed = "the world can't be made: " + environment.error().text;
    return replay;
  }
  const world::InitialState* initial =
      task != nullptr && task->initial_state ? &*task->initial_state : nullptr;
  if (const world::Outcome<void> set = world::set_state(**environment, initial, {}); !set) {
    replay.not_replayed =
        "the task's initial state can't be set in this data: " + text_of(set.error());
    return replay;
  }
  const Calls calls = calls_of(episode);
  EpisodeRun(episode, calls, golden_actions_of(task), **environment, replay).run();
  if (task != nullptr && settings.reward) {
    replay.reward = replay_reward(episode, world, *task, judged.record ? &*judged.record : nullptr,
                                  messages_of(episode, calls), settings.solo);
  }
  return replay;
}

}  // namespace unmask::replay
