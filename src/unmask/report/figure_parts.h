#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/report/svg_drawing.h"

/// The figures one by one, and what they share. A figure without anything to show is empty.
namespace unmask::figure {

inline constexpr double kWidth = 720.0;
inline constexpr int kNameColumns = 24;  ///< of an arm's name in a figure

/// One line of a legend.
struct Entry {
  std::string label;
  std::size_t shape = 0;
  std::string colour;
};

/// Title, what it is of, and the legend; the place below them.
[[nodiscard]] double draw_heading(svg::Drawing& drawing, std::string_view title,
                                  std::string_view of, std::span<const Entry> legend);
/// Small print from `top` on; the place below it.
[[nodiscard]] double draw_note(svg::Drawing& drawing, double top, std::string_view note);

/// The reference first, then the others in their order; at most as many as there are colours.
[[nodiscard]] std::vector<const ArmFindings*> drawn_arms(const CellFindings& cell);
[[nodiscard]] std::vector<Entry> legend_of(std::span<const ArmFindings* const> arms);

/// "12.3 [11.0, 13.9]", or a dash; `write` makes a number's text.
[[nodiscard]] std::string with_interval(const Figure& figure, std::string (*write)(double));
/// As print has it, with a minus rather than a hyphen.
[[nodiscard]] std::string minus(std::string number);

/// Names of cells and arms come from logs and command lines: what a file system might take amiss is
/// left out, and files that would then be called alike are counted.
class FileNames {
 public:
  /// `kind-part-part.svg`; empty parts are left out.
  [[nodiscard]] std::string take(std::string_view kind, std::initializer_list<std::string_view> of);

 private:
  std::vector<std::string> taken_;
};

[[nodiscard]] std::optional<std::string> score_figure(const CellFindings& cell,
                                                      const AuditSettings& settings);
[[nodiscard]] std::optional<std::string> channel_figure(const CellFindings& cell);
/// Of one arm over all cells.
[[nodiscard]] std::optional<std::string> amplification_figure(const AuditFindings& findings,
                                                              std::string_view arm);
/// Of hallucinated tool names.
[[nodiscard]] std::optional<std::string> failure_set_figure(const CellFindings& cell,
                                                            const ComparisonFindings& comparison);
[[nodiscard]] std::optional<std::string> grid_figure(const AuditFindings& findings);

}  // namespace unmask::figure
