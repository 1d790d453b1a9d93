#pragma once

#include <cstdint>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/diagnose/recovery.h"
#include "unmask/episode/facts.h"

namespace unmask {

/// Everything the audit says of one arm on its own: coverage, channel rates, score by budget,
/// recovery, names, lengths. Pure. `index` keys the random streams, so that no two arms share them.
[[nodiscard]] ArmFindings arm_findings(const ArmFacts& arm, const AuditSettings& settings,
                                       std::uint64_t index);

/// Recovery counts of the agent by task (index into ArmFacts::tasks), over observed episodes.
[[nodiscard]] std::vector<RecoveryCounts> recovery_by_task(const ArmFacts& arm);

}  // namespace unmask
