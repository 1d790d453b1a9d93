#pragma once

#include "unmask/audit/audit.h"
#include "unmask/base/diagnostics.h"

namespace unmask {

/// Remarks about arms that are probably not what the user takes them for: a name that contradicts
/// the precision in the log's model name (`arm_contradicts_log`; arms swapped), and arms without a
/// task in common with the reference (`no_common_task`).
void check_arms(const CellInput& cell, Diagnostics& diagnostics);

}  // namespace unmask
