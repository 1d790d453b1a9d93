#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "unmask/json/parser.h"

namespace unmask {

/// What the text of an agent that calls tools in its text holds.
enum class ActionKind : std::uint8_t {
  none,     ///< nothing but text for the user
  call,     ///< a tool call
  respond,  ///< an answer to the user, wrapped up as an action
  broken,   ///< a call whose JSON can't be read
};

struct ActionText {
  ActionKind kind = ActionKind::none;
  std::string name;       ///< of the tool; empty if `broken`
  std::string arguments;  ///< JSON text; the raw text if `broken`
  bool arguments_are_object = true;
  bool marked = false;  ///< stands behind `Action:`; else the text is nothing but the JSON object

  bool operator==(const ActionText&) const = default;
};

/// Reads the text protocol of tau-bench's ACT and ReAct agents as tau-bench does: what follows the
/// last `Action:` (without one, the whole text) is `{"name": ..., "arguments": ...}`.
[[nodiscard]] ActionText read_action_text(std::string_view text, json::Parser& parser);

/// The tool's output in a message that begins with `API output: `; null data if it does not.
[[nodiscard]] std::string_view api_output(std::string_view text);

}  // namespace unmask
