#pragma once

#include <string>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/text_style.h"

namespace unmask::text {

/// True if an arm of the cell shows damage of any kind: what a study's details are for.
[[nodiscard]] bool has_damage(const CellFindings& cell);

/// Everything about one cell: heading, arms with verdicts and facts, chart beside (or over) the
/// channel table, notes. With `brief`, neither chart, table nor notes.
[[nodiscard]] std::vector<std::string> cell_lines(const CellFindings& cell,
                                                  const AuditSettings& settings,
                                                  const TextStyle& style, bool brief);

}  // namespace unmask::text
