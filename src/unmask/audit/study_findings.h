#pragma once

#include "unmask/audit/findings.h"

namespace unmask {

/// Findings over cells: does amplification go with widening, what predicts the rise in rate, which
/// channel is amplified by domain, how many cells are equivalent. Needs at least 4 cells in which
/// the reference was compared, else `reason` says too few. Without settings.details only what is
/// counted, no correlations. STATISTICS, "Over cells".
[[nodiscard]] StudyFindings study_findings(const std::vector<CellFindings>& cells,
                                           const AuditSettings& settings);

}  // namespace unmask
