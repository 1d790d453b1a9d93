#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unmask/episode/channel.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::simulate {

/// A step of a task as somebody who knows the solution would take it.
struct Step {
  Party party = Party::agent;  ///< whose tool it is: the agent calls its own, and asks the user
  std::string tool;
  world::Object arguments;
  bool needed = false;     ///< a golden action; the others only look
  bool last_look = false;  ///< by which the parties see whether the task is done
};

/// The steps of a task: its golden actions in their order; in telecom also the look-ups that come
/// before them, a look on the phone before each change of it, and the look that ends the task.
[[nodiscard]] std::vector<Step> plan_of(const world::World& world, const world::Task& task);

/// The phone's tool by which a task of telecom shows whether it is done; empty if it has none.
[[nodiscard]] std::string_view last_look_of(const world::Task& task);

/// The tool that shows what another tool of telecom's phone changes; empty if nothing does.
[[nodiscard]] std::string_view sign_of(std::string_view phone_tool);

}  // namespace unmask::simulate
