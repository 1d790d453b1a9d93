#pragma once

#include <vector>

#include "unmask/episode/episode.h"
#include "unmask/replay/episode_replay.h"
#include "unmask/world/message.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::replay {

/// An episode's messages in the world's form, from its transcript: what an evaluation takes.
/// Arguments that are no JSON object become empty ones.
[[nodiscard]] std::vector<world::Message> messages_of(const Episode& episode);

/// Executes every call of an episode in `world`, from the initial state that `task` describes, and
/// compares what it answers with what the log has; then recomputes the reward. Calls without a
/// recorded result are not executed, nor those whose arguments can't be read. `episode` has its
/// transcript. `solo`: the agent has the user's tools and nobody else speaks. Without a task (null)
/// there is no reward, and the episode is replayed only where no task of the world has an initial
/// state of its own.
[[nodiscard]] EpisodeReplay replay_episode(const Episode& episode, const world::World& world,
                                           const world::Task* task, bool solo = false);

}  // namespace unmask::replay
