#pragma once

#include <vector>

#include "unmask/episode/episode.h"
#include "unmask/replay/episode_replay.h"
#include "unmask/replay/task_book.h"
#include "unmask/world/message.h"
#include "unmask/world/world.h"

namespace unmask::replay {

/// An episode's messages in the world's form, from its transcript: what an evaluation takes.
/// Arguments that are no JSON object are kept as text: such a call does nothing and matches
/// nothing.
[[nodiscard]] std::vector<world::Message> messages_of(const Episode& episode);

/// What is done with an episode.
struct ReplaySettings {
  bool solo = false;   ///< the agent has the user's tools and nobody else speaks
  bool reward = true;  ///< recompute it, which executes the writes once more
};

/// Executes every call of an episode in `world`, from the initial state that its task describes,
/// and compares what it answers with what the log has; then recomputes the reward. Calls without a
/// recorded result are not executed, nor those whose arguments can't be read. `episode` has its
/// transcript; `judged` is what a TaskBook found for it. Without a task there is no reward, and the
/// episode is replayed only where no task of the world has an initial state of its own.
///
/// A stray write is a successful call by the agent of a tool of its own that mutates, not of the
/// task's message history, which matches no golden action (world::matches), changes the state, and
/// leaves another one than a golden action of the same tool would have left in its place (the same
/// items in another order are the same write). The agent of a solo run also holds the user's tools:
/// they act on a phone that can be set back, and do not count.
[[nodiscard]] EpisodeReplay replay_episode(const Episode& episode, const world::World& world,
                                           const TaskBook::Found& judged,
                                           const ReplaySettings& settings = {});

}  // namespace unmask::replay
