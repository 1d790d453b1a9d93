#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/report/figure_parts.h"
#include "unmask/report/figure_style.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/svg_drawing.h"
#include "unmask/report/svg_scale.h"
#include "unmask/report/text_style.h"

namespace unmask::figure {
namespace {

using svg::Point;
using svg::Scale;

constexpr double kLeft = 46.0;
constexpr double kRight = kWidth - 96.0;

// A value with its interval at a budget; what an arm's scores and its gaps have in common.
struct At {
  int k = 0;
  double value = 0.0, low = 0.0, high = 0.0;
  std::string label;
};

struct Curve {
  std::string label;
  std::size_t arm = 0;
  std::vector<At> points;
};

// `value` is the figure's.
At at(int k, const Figure& figure, double value, const std::string& arm, std::string_view unit) {
  return {.k = k,
          .value = value,
          .low = figure.low.value_or(value),
          .high = figure.high.value_or(value),
          .label = arm + ", K=" + std::to_string(k) + ": " + with_interval(figure, text::points) +
                   std::string(unit)};
}

// One arm's line, its band below, and its marks above.
void draw(svg::Drawing& drawing, const Curve& curve, const Scale& x, const Scale& y) {
  const std::string& colour = tone(curve.arm);
  std::vector<Point> line, band;
  for (const At& point : curve.points) {
    line.push_back({x(point.k), y(point.value)});
    band.push_back({x(point.k), y(point.low)});
  }
  for (auto point = curve.points.rbegin(); point != curve.points.rend(); ++point)
    band.push_back({x(point->k), y(point->high)});
  drawing.area(band, colour, 0.13);
  drawing.path(line, {.colour = colour, .width = 2.0});
  for (const At& point : curve.points) {
    drawing.mark({x(point.k), y(point.value)}, {.shape = curve.arm, .colour = colour, .size = 3.4},
                 point.label);
  }
}

void draw_ticks(svg::Drawing& drawing, const Scale& y, int about) {
  for (const double tick : svg::ticks(y.from, y.to, about)) {
    const bool zero = std::abs(tick) < 1e-9;
    drawing.line({kLeft, y(tick)}, {kRight, y(tick)},
                 {.colour = zero && y.from < 0.0 ? palette().dim : palette().line});
    drawing.text({kLeft - 7.0, y(tick)}, minus(text::fixed(100.0 * tick, 0)),
                 {.colour = palette().dim, .anchor = "end"});
  }
}

// The arms' names beside the ends of their lines, moved apart so that none covers another.
void draw_names(svg::Drawing& drawing, const std::vector<Curve>& curves, const Scale& y) {
  struct Name {
    const Curve* curve;
    double y;
  };
  constexpr double kRoom = 15.0;
  std::vector<Name> names;
  for (const Curve& curve : curves)
    if (!curve.points.empty()) names.push_back({&curve, y(curve.points.back().value)});
  std::ranges::stable_sort(names, {}, &Name::y);
  for (std::size_t i = 1; i < names.size(); ++i)
    names[i].y = std::max(names[i].y, names[i - 1].y + kRoom);
  const double over = names.empty() ? 0.0 : std::max(0.0, names.back().y - y.start);
  for (const Name& name : names) {
    drawing.text({kRight + 6.0, name.y - over}, shortened(name.curve->label, 13),
                 {.colour = tone(name.curve->arm), .weight = "600"});
  }
}

std::string sentence_at(const std::vector<const ArmFindings*>& arms, int k) {
  std::vector<std::string> scores;
  for (const ArmFindings* arm : arms) {
    const ScorePoint* point = text::score_at(*arm, k);
    if (point != nullptr && point->score.value)
      scores.push_back(shortened(arm->arm, kNameColumns) + " " + text::points(*point->score.value) +
                       " %");
  }
  if (scores.empty()) return {};
  return filled(words("score", "at"), {{"k", std::to_string(k)}, {"scores", text::joined(scores)}});
}

}  // namespace

std::optional<std::string> score_figure(const CellFindings& cell, const AuditSettings& settings) {
  const std::vector<const ArmFindings*> arms = drawn_arms(cell);
  std::vector<Curve> scores, gaps;
  int last = 1;
  double highest = 0.05, lowest_gap = -settings.margin, highest_gap = settings.margin;
  for (const ComparisonFindings& comparison : cell.comparisons)
    last = std::max(last, comparison.k_obs);
  if (cell.comparisons.empty()) {
    for (const ArmFindings* arm : arms)
      for (const ScorePoint& point : arm->score) last = std::max(last, point.k);
  }
  bool any_unknown = false;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const std::string name = shortened(arms[i]->arm, kNameColumns);
    Curve score{.label = name, .arm = i, .points = {}};
    for (const ScorePoint& point : arms[i]->score) {
      if (point.k > last || !point.score.value) continue;
      score.points.push_back(
          at(point.k, text::within(point.score, 0.0, 1.0), *point.score.value, name, " %"));
      highest = std::max({highest, score.points.back().high, point.upper.value_or(0.0)});
      any_unknown = any_unknown || point.lower.has_value();
    }
    scores.push_back(std::move(score));
    for (const ComparisonFindings& comparison : cell.comparisons) {
      if (comparison.arm != arms[i]->arm) continue;
      Curve gap{.label = name, .arm = i, .points = {}};
      for (const GapPoint& point : comparison.gap) {
        if (!point.gap.figure.value) continue;
        gap.points.push_back(at(point.k, text::within(point.gap.figure, -1.0, 1.0),
                                *point.gap.figure.value, name, " points"));
        lowest_gap = std::min(lowest_gap, gap.points.back().low);
        highest_gap = std::max(highest_gap, gap.points.back().high);
      }
      if (!gap.points.empty()) gaps.push_back(std::move(gap));
    }
  }
  if (std::ranges::all_of(scores, [](const Curve& curve) { return curve.points.empty(); }))
    return std::nullopt;

  std::string text = sentence_at(arms, last);
  const auto smaller = std::ranges::find_if(settings.budgets, [last](int k) { return k < last; });
  if (smaller != settings.budgets.end()) text.insert(0, sentence_at(arms, *smaller) + " ");
  const std::string title = words("score", "title");
  const std::string of = text::cell_title(cell, TextStyle{});
  svg::Drawing drawing(kWidth, title + " \u00b7 " + of, text);
  const double top = draw_heading(drawing, title, of, legend_of(arms)) + 18.0;

  const Scale x{.from = 1.0,
                .to = std::max(2.0, static_cast<double>(last)),
                .start = kLeft + 10.0,
                .end = kRight - 10.0};
  const Scale y = svg::rounded(
      {.from = 0.0, .to = std::min(1.0, highest), .start = top + 250.0, .end = top}, 5);
  drawing.text({12.0, top - 14.0}, words("score", "axis"), {.colour = palette().dim});
  draw_ticks(drawing, y, 5);
  double bottom = y.start;
  if (!gaps.empty()) {
    const Scale g = svg::rounded(
        {.from = lowest_gap, .to = highest_gap, .start = y.start + 166.0, .end = y.start + 38.0},
        4);
    bottom = g.start;
    drawing.box({kLeft, g(settings.margin)}, kRight - kLeft,
                g(-settings.margin) - g(settings.margin), palette().sunken);
    drawing.text({12.0, g.end - 14.0}, words("score", "gap_axis"), {.colour = palette().dim});
    draw_ticks(drawing, g, 4);
    for (const Curve& gap : gaps) draw(drawing, gap, x, g);
  }
  for (std::size_t i = 0; i < arms.size(); ++i) {
    std::vector<Point> lower, upper;
    for (const ScorePoint& point : arms[i]->score) {
      if (point.k > last || !point.lower || !point.upper) continue;
      lower.push_back({x(point.k), y(*point.lower)});
      upper.push_back({x(point.k), y(*point.upper)});
    }
    lower.insert(lower.end(), upper.rbegin(), upper.rend());
    drawing.outline(lower, {.colour = tone(i), .dash = "2 3", .opacity = 0.8});
  }
  for (const Curve& score : scores) draw(drawing, score, x, y);
  draw_names(drawing, scores, y);

  const int every = std::max(1, (last + 16) / 17);
  for (int k = 1; k <= last; ++k) {
    if (k != 1 && k != last && k % every != 0) continue;
    drawing.text({x(k), bottom + 17.0}, std::to_string(k),
                 {.colour = palette().dim, .anchor = "middle"});
  }
  drawing.text({(kLeft + kRight) / 2.0, bottom + 36.0}, words("score", "budget_axis"),
               {.colour = palette().dim, .anchor = "middle"});
  std::string note = filled(words("score", "note"), {{"margin", text::points(settings.margin)}});
  if (any_unknown) note += " " + words("score", "unknown");
  return drawing.finished(draw_note(drawing, bottom + 44.0, note));
}

}  // namespace unmask::figure
