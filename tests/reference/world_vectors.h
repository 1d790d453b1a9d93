#pragma once

#include <cstddef>
#include <string>

#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::reference {

/// Runs the vectors of calls or episodes of a reference file, JSON lines, against a world: each
/// must be equal, and there must be `expected` of them. `file` as for Vectors.
void check_vectors(const world::World& world, const std::string& file, std::size_t expected);

/// A tool's schema without its descriptions.
[[nodiscard]] world::Value without_descriptions(const world::Value& schema);

}  // namespace unmask::reference
