#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/episode/episode.h"
#include "unmask/world/value.h"

namespace unmask::decisions {

/// What begins a call where tools are explained in words (play/text_protocol.h).
inline constexpr std::string_view kCallBegins = R"({"tool": ")";

/// The text of a JSON string without its quotes.
[[nodiscard]] std::string escaped(std::string_view text);

/// A call as it stands in the history of a model that is spoken to in text.
[[nodiscard]] std::string call_text(const ToolCall& call);

/// The arguments of a call; nullopt where they are no JSON object.
[[nodiscard]] std::optional<world::Object> arguments_of(const ToolCall& call);

/// A value of a call's arguments, or an element of a list among them, with the text of the call up
/// to it.
struct ArgumentPlace {
  std::string argument;     ///< its name
  world::Value value;       ///< as recorded
  std::string before;       ///< of the call's text, all in front of the value
  std::string_view behind;  ///< the character that follows it: `,`, `}` or `]`
  std::uint32_t element = 0;
};

/// The places of a call in their order. Lists within lists and objects are passed over.
[[nodiscard]] std::vector<ArgumentPlace> argument_places(const ToolCall& call);

}  // namespace unmask::decisions
