#pragma once

#include "unmask/audit/findings.h"
#include "unmask/audit/score_comparison.h"
#include "unmask/audit/settings.h"
#include "unmask/episode/facts.h"

namespace unmask {

/// What decided why the agent's failed calls failed, in observed episodes.
[[nodiscard]] EvidenceFindings evidence_findings(const ArmFacts& arm);

/// The consequence budget of an arm: an episode fails at its first successful write outside its
/// task's golden actions. Over the observed episodes whose writes are known. Score and share as
/// STATISTICS, "Score" and "Rates"; the first write's place is a mean over episodes that have one,
/// with tasks as clusters.
[[nodiscard]] ConsequenceFindings consequence_findings(const ArmFacts& arm,
                                                       const AuditSettings& settings);

/// The gap of two arms under it, beside the gap without it on the same tasks and episodes.
[[nodiscard]] ConsequenceGap compare_consequences(const ArmPair& pair,
                                                  const AuditSettings& settings);

}  // namespace unmask
