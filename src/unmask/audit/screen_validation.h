#pragma once

#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/score_comparison.h"
#include "unmask/audit/settings.h"
#include "unmask/screen/settings.h"
#include "unmask/screen/validation.h"

namespace unmask {

/// The screen's settings that go with the audit's: near zero, headline budgets, and the margin of
/// scores as what is a serious loss.
[[nodiscard]] screen::ScreenSettings screen_settings(const AuditSettings& settings);

/// Predicted against observed points lost of one arm, on the pair's shared tasks.
[[nodiscard]] screen::Validation validate_screen(const ArmPair& pair,
                                                 const AuditSettings& settings);

/// The predictions of all cells against what came, at the first headline budget. Needs at least 4
/// cells with one. STATISTICS, "Risk screen": validation.
[[nodiscard]] ForetoldFindings foretold_findings(const std::vector<CellFindings>& cells,
                                                 const AuditSettings& settings);

}  // namespace unmask
