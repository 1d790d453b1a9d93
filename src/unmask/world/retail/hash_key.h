#pragma once

#include <string>

#include "unmask/world/outcome.h"
#include "unmask/world/value.h"

namespace unmask::world::retail {

/// What a value is as a key of a map whose keys are strings: the string; null for a value that is
/// just not found. Raises TypeError for lists and objects, which Python can't hash.
[[nodiscard]] inline Outcome<const std::string*> hash_key(const Value& value) {
  if (value.list() != nullptr || value.object() != nullptr) {
    return raise("TypeError", "unhashable type: '" + std::string(type_name(value)) + "'");
  }
  return value.string();
}

}  // namespace unmask::world::retail
