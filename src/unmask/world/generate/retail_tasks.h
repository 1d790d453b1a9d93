#pragma once

#include <cstdint>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/retail_database.h"
#include "unmask/world/generate/task_draft.h"

namespace unmask::world::generated {

/// `count` tasks, no two with the same customer and actions. Each starts from `database` and is
/// solved by its actions in order, and by no fewer writes.
/// Errors: invalid_argument, if the shop is too small for so many; interrupted.
[[nodiscard]] Result<std::vector<TaskDraft>> make_retail_tasks(const RetailDatabase& database,
                                                               std::uint32_t count,
                                                               Difficulty difficulty,
                                                               std::uint64_t seed,
                                                               const TaskProgress& progress);

}  // namespace unmask::world::generated
