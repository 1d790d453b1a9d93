#pragma once

#include <cstdint>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/task_draft.h"
#include "unmask/world/generate/telecom_database.h"

namespace unmask::world::generated {

/// A task, and whether it has one fault only.
struct TelecomTask {
  TaskDraft draft;
  bool has_one_fault = false;
};

/// `count` tasks, no two with the same line, faults, amounts and persona. Each starts from
/// `database` and a phone in good order, brings its faults about, and is solved by its actions in
/// order, and by no fewer writes. Errors: invalid_argument, if there are too few customers for so
/// many; interrupted.
[[nodiscard]] Result<std::vector<TelecomTask>> make_telecom_tasks(const TelecomDatabase& database,
                                                                  std::uint32_t count,
                                                                  Difficulty difficulty,
                                                                  std::uint64_t seed,
                                                                  const TaskProgress& progress);

}  // namespace unmask::world::generated
