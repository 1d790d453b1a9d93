#pragma once

#include <string>
#include <string_view>

namespace unmask::world::generated {

/// Compact JSON with line breaks and two blanks a level, for people; what fits on a line of 100
/// columns stays on it. `compact` must be one JSON value without blanks between its tokens.
[[nodiscard]] std::string indented_json(std::string_view compact);

}  // namespace unmask::world::generated
