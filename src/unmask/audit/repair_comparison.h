#pragma once

#include <optional>

#include "unmask/audit/findings.h"
#include "unmask/audit/score_comparison.h"

namespace unmask {

/// A repaired arm against its own unrepaired arm and the reference, on the tasks that all three
/// share. `effect.gain.test.p` is the raw p of the gain at K_obs, for the family of repairs.
struct RepairComparison {
  RepairFindings findings;
  stats::RepairEffect effect;
};
[[nodiscard]] RepairComparison compare_repair(const ArmFacts& reference, const ArmFacts& unrepaired,
                                              const ArmFacts& repaired,
                                              const AuditSettings& settings, std::uint64_t index);

/// Sets adjusted p and outcome.
void settle_repair(RepairComparison& comparison, std::optional<double> p_adjusted,
                   const AuditSettings& settings);

}  // namespace unmask
