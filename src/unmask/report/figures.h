#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/findings.h"

namespace unmask {

/// How each figure's file begins.
inline constexpr std::string_view kFigureMark = "<!-- a figure of unmask -->\n";

struct FigureFile {
  std::string name;  ///< of the file: letters, digits, `-`, `.` and `_` only; no two alike
  std::string svg;
};

/// The main figures as SVG files for papers, each of the audit's own numbers at its own setting:
/// `score` and `channels` a cell, `failure-set` a comparison with hallucinated names,
/// `amplification` an arm over all cells, `grid` of a study. With several cells or arms the names
/// say which (docs/report-page.md, "Figures"). What has nothing to show has no file.
[[nodiscard]] std::vector<FigureFile> audit_figures(const AuditFindings& findings);

}  // namespace unmask
