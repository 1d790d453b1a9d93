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
namespace {

// Names of cells and arms come from logs and command lines: what a file system might take amiss is
// left out, and files that would then be called alike are counted.
class FileNames {
 public:
  std::string take(std::string_view kind, std::initializer_list<std::string_view> of) {
    std::string base(kind);
    for (const std::string_view part : of) {
      if (!part.empty()) base.append("-").append(plain(part));
    }
    std::string name = base;
    for (int number = 2; std::ranges::find(taken_, name) != taken_.end(); ++number)
      name = base + "-" + std::to_string(number);
    taken_.push_back(name);
    return name + ".svg";
  }

 private:
  static std::string plain(std::string_view text) {
    std::string name;
    for (const char c : text.substr(0, 60)) {
      const bool kept = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                        (c >= 'A' && c <= 'Z') || c == '.' || c == '_';
      if (kept) {
        name += c;
      } else if (!name.ends_with('-')) {
        name += '-';
      }
    }
    return name;
  }

  std::vector<std::string> taken_;
};

}  // namespace

std::vector<FigureFile> audit_figures(const AuditFindings& findings) {
  std::vector<FigureFile> files;
  FileNames names;
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
