#pragma once

#include <span>
#include <string>
#include <string_view>

#include "unmask/world/value.h"

namespace unmask::world {

/// A field of a model that was given something other than a string.
struct InvalidText {
  std::string_view field;
  const Value* value = nullptr;
};

/// The text of the ValidationError that pydantic 2.12 raises for `fields` (not empty, in the
/// model's order) of `model`.
[[nodiscard]] std::string invalid_text_error(std::string_view model,
                                             std::span<const InvalidText> fields);

/// repr(value) as pydantic shows inputs: shortened in the middle where it has more than 50 bytes of
/// UTF-8.
[[nodiscard]] std::string shortened_repr(const Value& value);

}  // namespace unmask::world
