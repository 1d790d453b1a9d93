#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/verdict.h"
#include "unmask/report/figure_parts.h"
#include "unmask/report/figure_style.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/svg_drawing.h"
#include "unmask/report/svg_scale.h"

namespace unmask::figure {
namespace {

using svg::Point;
using svg::Scale;

constexpr double kFirstColumn = 214.0;
constexpr double kColumn = 330.0;
constexpr double kRow = 54.0;

const std::string& colour_of(Verdict verdict) {
  if (is_damage(verdict)) return palette().bad;
  if (verdict == Verdict::clean || verdict == Verdict::improved) return palette().good;
  return palette().dim;
}

// The channel that grew most, "tool names ×2.5"; empty where none is amplified.
std::string worst_words(const ComparisonFindings& comparison) {
  const AmplificationFindings* worst = text::worst_channel(comparison);
  if (worst == nullptr || !worst->amplified) return {};
  return " \u00b7 " + words("channel_short", worst->channel) + " " +
         (worst->ratio.value
              ? "\u00d7" + text::ratio(*worst->ratio.value)
              : std::to_string(worst->errors_ref) + " \u2192 " + std::to_string(worst->errors_arm));
}

void draw_spark(svg::Drawing& drawing, Point corner, const ArmFindings& reference,
                const ArmFindings& arm, int last) {
  double highest = 0.01;
  for (const ArmFindings* each : {&reference, &arm})
    for (const ScorePoint& point : each->score)
      if (point.k <= last) highest = std::max(highest, point.score.value.value_or(0.0));
  const Scale x{.from = 1.0,
                .to = std::max(2.0, static_cast<double>(last)),
                .start = corner.x,
                .end = corner.x + 92.0};
  const Scale y{.from = 0.0, .to = highest, .start = corner.y + 34.0, .end = corner.y + 2.0};
  const auto curve = [&](const ArmFindings& of) {
    std::vector<Point> points;
    for (const ScorePoint& point : of.score)
      if (point.k <= last && point.score.value)
        points.push_back({x(point.k), y(*point.score.value)});
    return points;
  };
  drawing.line({corner.x, y.start}, {x.end, y.start}, {.colour = palette().line});
  drawing.path(curve(reference), {.colour = tone(0), .width = 2.0});
  drawing.path(curve(arm), {.colour = tone(2), .width = 2.0});
}

}  // namespace

std::optional<std::string> grid_figure(const AuditFindings& findings) {
  std::vector<std::string> arms;
  for (const CellFindings& cell : findings.cells)
    for (const ComparisonFindings& comparison : cell.comparisons)
      if (std::ranges::find(arms, comparison.arm) == arms.end()) arms.push_back(comparison.arm);
  if (arms.empty()) return std::nullopt;

  std::string text;
  for (const CellFindings& cell : findings.cells) {
    for (const ComparisonFindings& comparison : cell.comparisons) {
      text += (text.empty() ? "" : " ") + shortened(cell.info.cell, 60) + ", " +
              shortened(comparison.arm, kNameColumns) + ": " +
              words("verdict", name_of(comparison.verdict)) + ".";
    }
  }
  const std::string title = words("grid", "title");
  svg::Drawing drawing(kFirstColumn + kColumn * static_cast<double>(arms.size()), title, text);
  double y = draw_heading(drawing, title, {}, {}) + 8.0;
  for (std::size_t column = 0; column < arms.size(); ++column) {
    drawing.text({kFirstColumn + kColumn * static_cast<double>(column), y},
                 shortened(arms[column], 30), {.weight = "600"});
  }
  y += 14.0;
  for (const CellFindings& cell : findings.cells) {
    drawing.line({12.0, y}, {drawing.width() - 12.0, y}, {.colour = palette().line});
    drawing.text({12.0, y + 18.0}, shortened(cell.info.cell, 26), {.weight = "600"});
    drawing.text({12.0, y + 36.0}, words("grid", "against") + " " + shortened(cell.reference, 18),
                 {.size = 11.0, .colour = palette().dim});
    const ArmFindings* reference = text::reference_arm(cell);
    for (const ComparisonFindings& comparison : cell.comparisons) {
      const auto column = std::ranges::find(arms, comparison.arm) - arms.begin();
      const double x = kFirstColumn + kColumn * static_cast<double>(column);
      const std::string_view verdict = name_of(comparison.verdict);
      drawing.text({x, y + 18.0}, sign(verdict) + " " + words("verdict", verdict),
                   {.size = 13.0, .colour = colour_of(comparison.verdict), .weight = "600"});
      const GapPoint* gap = comparison.gap_at(comparison.k_obs);
      drawing.text(
          {x, y + 36.0},
          filled(words("grid", "gap"), {{"gap", gap != nullptr && gap->gap.figure.value
                                                    ? minus(text::points(*gap->gap.figure.value))
                                                    : "\u2014"},
                                        {"k", std::to_string(comparison.k_obs)}}) +
              worst_words(comparison),
          {.size = 11.0, .colour = palette().dim});
      const ArmFindings* arm = text::find_arm(cell, comparison.arm);
      if (reference != nullptr && arm != nullptr)
        draw_spark(drawing, {x + 220.0, y + 9.0}, *reference, *arm, comparison.k_obs);
    }
    y += kRow;
  }
  return drawing.finished(draw_note(drawing, y, words("grid", "tile")));
}

}  // namespace unmask::figure
