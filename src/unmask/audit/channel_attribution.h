#pragma once

#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/score_comparison.h"

namespace unmask {

/// Splits the points of `pair` lost at each budget by channel, and by the roll-up kEntityArgument.
/// Channels in which neither arm's agent failed are left out.
[[nodiscard]] std::vector<Attribution> attribute(const ArmPair& pair);

}  // namespace unmask
