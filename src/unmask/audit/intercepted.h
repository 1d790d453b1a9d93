#pragma once

#include <optional>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/episode/facts.h"

namespace unmask {

/// The calls that a repair held back (mode `intercept`), counted apart: they are no failed calls
/// and the budget did not feel them. nullopt where no observation of the arm records them. Source:
/// STATISTICS, "Repair".
[[nodiscard]] std::optional<InterceptedFindings> intercepted_findings(
    const ArmFacts& arm, const AuditSettings& settings);

/// The arm as if its intercepted calls had been made and had failed, each where it was held back.
[[nodiscard]] ArmFacts with_intercepted_counted(const ArmFacts& arm);

}  // namespace unmask
