#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "unmask/episode/channel.h"

namespace unmask::synthetic {

/// A tool of a world with what a simulated log shows of a successful call. `$words` in arguments
/// and results stand for the task's own ids (fill_in). Names, parameters and error texts are the
/// benchmark's interface; everything else is made up.
struct ToolTexts {
  std::string_view name;
  std::string_view arguments;  ///< JSON object
  std::string_view result;
};

/// A failing call of an existing tool. (tool, channel, kind) is unique within a world.
struct FailureTexts {
  Party party = Party::agent;
  std::string_view tool;
  Channel channel = Channel::arguments;
  std::string_view kind;       ///< as diagnose words it
  std::string_view arguments;  ///< JSON object
  std::string_view error;      ///< content of the tool's message, `Error: ` included
};

/// Why a simulated customer calls, and the one action that would settle it.
struct ErrandTexts {
  std::string_view reason;
  std::string_view action;            ///< tool name
  std::string_view action_arguments;  ///< JSON object
};

/// Everything that a simulated log of a domain is made of.
struct WorldTexts {
  std::string_view domain;
  std::string_view task_prefix;
  std::span<const ToolTexts> agent_tools;  ///< the first is the look-up that opens an episode
  std::span<const ToolTexts> user_tools;   ///< empty: users have none
  std::span<const FailureTexts> failures;
  std::span<const ErrandTexts> errands;
  std::string_view stray_arguments;  ///< of a call to a tool that does not exist, JSON object
  std::string_view reward_basis;
};

/// The world of `domain`; nullptr if there is none of that name.
[[nodiscard]] const WorldTexts* find_world(std::string_view domain);

/// `text` with each `$word` replaced by that id of task number `task` (>= 0).
[[nodiscard]] std::string fill_in(std::string_view text, std::uint32_t task);

/// Id of task number `task` in a log: `telecom_017`.
[[nodiscard]] std::string task_id(const WorldTexts& world, std::uint32_t task);

}  // namespace unmask::synthetic
