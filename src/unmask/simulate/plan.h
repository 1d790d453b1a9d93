#pragma once

#include <optional>
#include <string>
#include <string_view>
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
  bool needed = false;  ///< a golden action; the others only look
};

struct Plan {
  std::vector<Step> steps;
  /// What an agent looks up to find its feet again after an error; nullopt: nothing.
  std::optional<Step> refuge;
};

/// The steps of a task: its golden actions in their order. In telecom also what comes before and
/// between them: the look-ups of customer, line, usage or bills, the looks on the phone that a
/// support manual has before each change of it, a look-up after each write.
[[nodiscard]] Plan plan_of(const world::World& world, const world::Task& task);

/// The tool that shows what another tool of telecom's phone changes; empty if nothing does.
[[nodiscard]] std::string_view sign_of(std::string_view phone_tool);

}  // namespace unmask::simulate
