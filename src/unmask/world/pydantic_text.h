#pragma once

#include <string>

#include "unmask/world/value.h"

namespace unmask::world {

/// repr(value) as pydantic shows inputs: shortened in the middle where it has more than 50 bytes of
/// UTF-8.
[[nodiscard]] std::string shortened_repr(const Value& value);

}  // namespace unmask::world
