#include "unmask/report/figures.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/figure_parts.h"

namespace unmask {

std::vector<FigureFile> audit_figures(const AuditFindings& findings) {
  std::vector<FigureFile> files;
  figure::FileNames names;
  const auto add = [&](std::string_view kind, std::initializer_list<std::string_view> of,
                       const std::optional<std::string>& svg) {
    if (svg)
      files.push_back({.name = names.take(kind, of), .svg = std::string(kFigureMark) + *svg});
  };
  const bool several = findings.cells.size() > 1;
  std::vector<std::string> arms;
  for (const CellFindings& cell : findings.cells) {
    const std::string_view which = several ? std::string_view(cell.info.cell) : "";
    add("score", {which}, figure::score_figure(cell, findings.settings));
    add("channels", {which}, figure::channel_figure(cell));
    for (const ComparisonFindings& comparison : cell.comparisons) {
      add("failure-set", {which, comparison.arm}, figure::failure_set_figure(cell, comparison));
      if (std::ranges::find(arms, comparison.arm) == arms.end()) arms.push_back(comparison.arm);
    }
  }
  for (const std::string& arm : arms)
    add("amplification", {arm}, figure::amplification_figure(findings, arm));
  add("grid", {}, figure::grid_figure(findings));
  return files;
}

}  // namespace unmask
