#pragma once

#include <span>
#include <string_view>

#include "unmask/episode/episode.h"
#include "unmask/replay/episode_replay.h"
#include "unmask/world/message.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::replay {

/// Evaluates an episode in `world` and sets the recorded reward and its parts beside the result.
/// `record` is that of its reward; null: it has none. Parts that need a judge are not evaluated. An
/// episode whose termination the log doesn't have is
/// taken to have ended as it should.
[[nodiscard]] RewardReplay replay_reward(const Episode& episode, const world::World& world,
                                         const world::Task& task, const world::Value* record,
                                         std::span<const world::Message> messages, bool solo);

}  // namespace unmask::replay
