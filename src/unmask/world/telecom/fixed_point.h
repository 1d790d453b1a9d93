#pragma once

#include <string>

namespace unmask::world::telecom {

/// Python's `{value:.2f}`; `inf`, `-inf` and `nan` as Python spells them.
[[nodiscard]] std::string two_decimals(double value);

}  // namespace unmask::world::telecom
