#pragma once

#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/score_comparison.h"

namespace unmask {

/// Amplification of each channel and roll-up on the shared tasks, raw p-values. After the families
/// are corrected, `settle_channels` decides.
[[nodiscard]] std::vector<AmplificationFindings> compare_channels(const ArmPair& pair,
                                                                  const AuditSettings& settings);

/// Sets `amplified` and `quiet` from the adjusted p-values and sums up for the verdict.
/// Amplified: tested, significant, a ratio of at least settings.amplified_ratio (or errors where
/// the reference has none). Quiet: STATISTICS, "Verdict"; a channel in which the arm has no error
/// at all is quiet too, since a bound over the tasks alone (2.6 % at 114 tasks) could never fall
/// under 1 %.
ChannelEvidence settle_channels(std::vector<AmplificationFindings>& channels,
                                const AuditSettings& settings);

/// The same failures, louder? For each channel and provenance with errors in either arm.
[[nodiscard]] std::vector<FailureSetFindings> compare_failure_sets(const ArmPair& pair,
                                                                   const AuditSettings& settings);

/// Recovery of the two arms, as differences.
[[nodiscard]] std::vector<RateDifference> compare_recovery(const ArmPair& pair);

}  // namespace unmask
