#pragma once

#include "unmask/audit/findings.h"
#include "unmask/audit/score_comparison.h"

namespace unmask {

/// How far the reference differs from itself: its null arm, else random halves of its own trials
/// (each half has half the episodes, so its ratios scatter more than a whole arm's would). Ratios
/// of halves: median and 2.5 and 97.5 percentiles over 200 splits.
[[nodiscard]] NullFindings noise_floor(const ArmFacts& reference, const ArmFacts* null_arm,
                                       const AuditSettings& settings, std::uint64_t index);

}  // namespace unmask
