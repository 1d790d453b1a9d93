#pragma once

#include <string>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/text_style.h"

namespace unmask::text {

/// What `--verbose` adds to a cell, a table each: gaps with intervals, recovery, pass^k, lengths,
/// hallucinated names, smallest effects that the design finds with 80 % power. Where intervals do
/// not fit the width, values stand alone. Empty tables are left out.
[[nodiscard]] std::vector<std::vector<std::string>> verbose_tables(const CellFindings& cell,
                                                                   const TextStyle& style);

}  // namespace unmask::text
