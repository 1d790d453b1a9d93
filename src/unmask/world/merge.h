#pragma once

#include "unmask/world/value.h"

namespace unmask::world {

/// Merges `update` into an object, as tau2-bench merges a task's data into a database: objects
/// recursively, anything else replaced.
void merge_objects(Object& into, const Object& update);

}  // namespace unmask::world
