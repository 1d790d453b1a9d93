#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/margins/findings.h"
#include "unmask/margins/margin.h"
#include "unmask/report/figure_parts.h"
#include "unmask/report/figure_style.h"
#include "unmask/report/figures.h"
#include "unmask/report/margin_rendering.h"
#include "unmask/report/number_text.h"
#include "unmask/report/svg_drawing.h"
#include "unmask/report/svg_scale.h"
#include "unmask/stats/quantile.h"

namespace unmask {
namespace {

using figure::Entry;
using figure::filled;
using figure::minus;
using figure::palette;
using figure::words;
using margins::FlipMatrix;
using margins::MarginGroup;
using svg::Scale;

constexpr double kLeft = 56.0;
constexpr std::size_t kMostDrawn = 4000;

// What became of a decision, in the order of stacking.
struct Outcome {
  const char* key;
  std::uint32_t FlipMatrix::* count;
  std::size_t shape, tone;
};
constexpr std::array<Outcome, 4> kOutcomes = {Outcome{"kept_good", &FlipMatrix::good_good, 0, 1},
                                              Outcome{"kept_bad", &FlipMatrix::bad_bad, 1, 0},
                                              Outcome{"good_bad", &FlipMatrix::good_bad, 3, 2},
                                              Outcome{"bad_good", &FlipMatrix::bad_good, 2, 3}};

const Outcome& outcome_of(const margins::MarginPoint& point) {
  if (!point.flipped()) return kOutcomes[point.reference > 0.0 ? 0 : 1];
  return kOutcomes[point.reference > 0.0 ? 2 : 3];
}

std::vector<Entry> legend() {
  std::vector<Entry> entries;
  for (const Outcome& outcome : kOutcomes) {
    entries.push_back({.label = words("margins", outcome.key),
                       .shape = outcome.shape,
                       .colour = figure::tone(outcome.tone)});
  }
  return entries;
}

// One arm's figures of one group.
struct Subject {
  const MarginGroup& group;
  std::string reference, arm, of, text;
};

Subject subject_of(const margins::MarginFindings& findings,
                   const margins::MarginComparison& comparison, const MarginGroup& group) {
  Subject subject{
      .group = group,
      .reference = figure::shortened(findings.reference.name, figure::kNameColumns),
      .arm = figure::shortened(comparison.arm.name, figure::kNameColumns),
      .of = {},
      .text = filled(
          words("margins", "text"),
          {{"bad", text::grouped(group.good.flipped)},
           {"good", text::grouped(group.good.decisions)},
           {"regained", text::grouped(group.bad.flipped)},
           {"rest", text::grouped(group.bad.decisions)},
           {"thin", group.thin_share.value ? text::percent(*group.thin_share.value) : "\u2014"}})};
  subject.of =
      filled(words("margins", "of"),
             {{"arm", subject.arm}, {"reference", subject.reference}, {"group", group.name}});
  return subject;
}

std::string axis_of(const std::string& arm) {
  return filled(words("margins", "margin_axis"), {{"arm", arm}});
}

std::string tick_text(double tick, double span) {
  return minus(text::fixed(tick, span < 1.0 ? 2 : (span < 10.0 ? 1 : 0)));
}

std::optional<std::string> histogram_figure(const Subject& subject) {
  const std::vector<margins::HistogramBin>& bins = subject.group.histogram;
  if (bins.empty()) return std::nullopt;
  std::uint32_t most = 1;
  for (const margins::HistogramBin& bin : bins) {
    std::uint32_t all = 0;
    for (const Outcome& outcome : kOutcomes) all += bin.outcomes.*outcome.count;
    most = std::max(most, all);
  }
  const std::string title = words("margins", "histogram");
  svg::Drawing drawing(figure::kWidth, title + " \u00b7 " + subject.of, subject.text);
  const double top = figure::draw_heading(drawing, title, subject.of, legend()) + 18.0;
  const Scale x{.from = bins.front().low,
                .to = bins.back().high,
                .start = kLeft,
                .end = figure::kWidth - 20.0};
  const Scale y = svg::rounded({.from = 0.0,
                                .to = std::max(4.0, static_cast<double>(most)),
                                .start = top + 240.0,
                                .end = top},
                               4);
  drawing.text({12.0, top - 14.0}, words("margins", "decisions_axis"), {.colour = palette().dim});
  for (const double tick : svg::ticks(y.from, y.to, 4)) {
    drawing.line({x.start, y(tick)}, {x.end, y(tick)}, {.colour = palette().line});
    drawing.text({kLeft - 7.0, y(tick)}, text::fixed(tick, 0),
                 {.colour = palette().dim, .anchor = "end"});
  }
  const double width = x(bins.front().high) - x(bins.front().low);
  for (const margins::HistogramBin& bin : bins) {
    double below = 0.0;
    for (const Outcome& outcome : kOutcomes) {
      const std::uint32_t count = bin.outcomes.*outcome.count;
      if (count == 0) continue;
      const double above = below + count;
      drawing.box({x(bin.low) + 0.5, y(above)}, std::max(1.0, width - 1.0), y(below) - y(above),
                  figure::tone(outcome.tone));
      // The sign tells outcomes apart without colours, and says the number.
      if (y(below) - y(above) >= 9.0) {
        drawing.mark({x(bin.low) + width / 2.0, (y(below) + y(above)) / 2.0},
                     {.shape = outcome.shape, .colour = palette().paper, .size = 3.0},
                     filled(words("margins", "bin"), {{"low", minus(text::fixed(bin.low, 2))},
                                                      {"high", minus(text::fixed(bin.high, 2))},
                                                      {"count", text::grouped(count)},
                                                      {"outcome", words("margins", outcome.key)}}));
      }
      below = above;
    }
  }
  if (x.from < 0.0 && x.to > 0.0)
    drawing.line({x(0.0), top - 6.0}, {x(0.0), y.start}, {.colour = palette().ink});
  for (const double tick : svg::ticks(x.from, x.to, 8)) {
    drawing.text({x(tick), y.start + 15.0}, tick_text(tick, x.to - x.from),
                 {.colour = palette().dim, .anchor = "middle"});
  }
  drawing.text({(x.start + x.end) / 2.0, y.start + 33.0}, axis_of(subject.reference),
               {.colour = palette().dim, .anchor = "middle"});
  return drawing.finished(figure::draw_note(
      drawing, y.start + 40.0, subject.text + " " + words("margins", "histogram_note")));
}

// The middle 98 % of all margins, 0 within.
Scale scatter_range(const std::vector<margins::MarginPoint>& points) {
  std::vector<double> all;
  all.reserve(2 * points.size());
  for (const margins::MarginPoint& point : points) {
    all.push_back(point.reference);
    all.push_back(point.arm);
  }
  const double low = std::min(-0.5, stats::quantile(all, 0.01));
  const double high = std::max(0.5, stats::quantile(all, 0.99));
  return svg::rounded({.from = low, .to = high}, 6);
}

std::optional<std::string> scatter_figure(const Subject& subject) {
  const std::vector<margins::MarginPoint>& points = subject.group.points;
  if (points.empty()) return std::nullopt;
  constexpr double kWide = 560.0;
  constexpr double kSide = kWide - kLeft - 16.0;
  const std::string title = words("margins", "scatter");
  svg::Drawing drawing(kWide, title + " \u00b7 " + subject.of, subject.text);
  const double top = figure::draw_heading(drawing, title, subject.of, legend());
  Scale x = scatter_range(points);
  Scale y = x;
  x.start = kLeft + 6.0;
  x.end = kLeft + kSide;
  y.start = top + kSide - 6.0;
  y.end = top;
  for (const double tick : svg::ticks(x.from, x.to, 6)) {
    const bool zero = std::abs(tick) < 1e-9 * (x.to - x.from);
    const std::string& colour = zero ? palette().dim : palette().line;
    drawing.line({x(tick), y.start}, {x(tick), y.end}, {.colour = colour});
    drawing.line({x.start, y(tick)}, {x.end, y(tick)}, {.colour = colour});
    const std::string label = tick_text(tick, x.to - x.from);
    drawing.text({x(tick), y.start + 15.0}, label, {.colour = palette().dim, .anchor = "middle"});
    drawing.text({x.start - 7.0, y(tick)}, label, {.colour = palette().dim, .anchor = "end"});
  }
  drawing.line({x(x.from), y(x.from)}, {x(x.to), y(x.to)},
               {.colour = palette().dim, .dash = "2 3"});
  for (std::size_t i = 0; i < std::min(points.size(), kMostDrawn); ++i) {
    const Outcome& outcome = outcome_of(points[i]);
    drawing.mark({x(points[i].reference), y(points[i].arm)},
                 {.shape = outcome.shape,
                  .colour = figure::tone(outcome.tone),
                  .size = points[i].flipped() ? 3.5 : 2.5,
                  .hollow = !points[i].flipped()},
                 minus(text::fixed(points[i].reference, 2)) + " \u2192 " +
                     minus(text::fixed(points[i].arm, 2)) + ", " + words("margins", outcome.key));
  }
  drawing.text({kLeft + kSide / 2.0, y.start + 33.0}, axis_of(subject.reference),
               {.colour = palette().dim, .anchor = "middle"});
  drawing.text({12.0, top + kSide / 2.0}, axis_of(subject.arm),
               {.colour = palette().dim, .anchor = "middle", .upwards = true});
  return drawing.finished(figure::draw_note(drawing, y.start + 40.0,
                                            subject.text + " " + words("margins", "scatter_note")));
}

std::optional<std::string> calibration_figure(const Subject& subject) {
  std::vector<const margins::CalibrationBin*> bins;
  double highest = 0.1;
  for (const margins::CalibrationBin& bin : subject.group.calibration.bins) {
    if (!bin.predicted || !bin.observed.value) continue;
    bins.push_back(&bin);
    highest = std::max({highest, *bin.predicted, bin.observed.high.value_or(*bin.observed.value)});
  }
  if (bins.empty()) return std::nullopt;
  constexpr double kWide = 560.0;
  constexpr double kSide = 400.0;
  const std::string title = words("margins", "calibration");
  svg::Drawing drawing(kWide, title + " \u00b7 " + subject.of, subject.text);
  const std::vector<Entry> entries = {
      {.label = words("margins", "tenth"), .shape = 0, .colour = figure::tone(1)}};
  const double top = figure::draw_heading(drawing, title, subject.of, entries) + 18.0;
  const Scale range = svg::rounded({.from = 0.0, .to = std::min(1.0, highest)}, 5);
  Scale x = range;
  Scale y = range;
  x.start = kLeft + 6.0;
  x.end = kWide - 20.0;
  y.start = top + kSide;
  y.end = top;
  for (const double tick : svg::ticks(range.from, range.to, 5)) {
    drawing.line({x(tick), y.start}, {x(tick), y.end}, {.colour = palette().line});
    drawing.line({x.start, y(tick)}, {x.end, y(tick)}, {.colour = palette().line});
    const std::string label = text::fixed(100.0 * tick, range.to < 0.1 ? 1 : 0);
    drawing.text({x(tick), y.start + 15.0}, label, {.colour = palette().dim, .anchor = "middle"});
    drawing.text({x.start - 7.0, y(tick)}, label, {.colour = palette().dim, .anchor = "end"});
  }
  drawing.text({12.0, top - 14.0}, words("margins", "observed_axis"), {.colour = palette().dim});
  drawing.text({(x.start + x.end) / 2.0, y.start + 33.0}, words("margins", "predicted_axis"),
               {.colour = palette().dim, .anchor = "middle"});
  drawing.line({x(range.from), y(range.from)}, {x(range.to), y(range.to)},
               {.colour = palette().dim, .dash = "2 3"});
  for (const margins::CalibrationBin* bin : bins) {
    const double place = x(*bin->predicted);
    if (bin->observed.low && bin->observed.high) {
      drawing.line({place, y(*bin->observed.low)}, {place, y(*bin->observed.high)},
                   {.colour = figure::tone(1), .width = 1.5});
    }
    drawing.mark({place, y(*bin->observed.value)}, {.shape = 0, .colour = figure::tone(1)},
                 minus(text::fixed(bin->low, 2)) + " \u2026 " + minus(text::fixed(bin->high, 2)) +
                     ": " + text::percent(*bin->predicted) + " \u2192 " +
                     figure::with_interval(bin->observed, text::percent) + " %");
  }
  return drawing.finished(
      figure::draw_note(drawing, y.start + 40.0, words("margins", "calibration_note")));
}

}  // namespace

std::vector<FigureFile> margin_figures(const margins::MarginFindings& findings) {
  std::vector<FigureFile> files;
  figure::FileNames names;
  const bool several = findings.comparisons.size() > 1;
  for (const margins::MarginComparison& comparison : findings.comparisons) {
    const MarginGroup* group = comparison.group(margins::GroupBy::kind, "tool_name");
    if (group == nullptr) continue;
    const Subject subject = subject_of(findings, comparison, *group);
    const std::string_view which = several ? std::string_view(comparison.arm.name) : "";
    const auto add = [&](std::string_view kind, std::optional<std::string> svg) {
      if (svg) files.push_back({.name = names.take(kind, {which}), .svg = *std::move(svg)});
    };
    add("margin-histogram", histogram_figure(subject));
    add("margin-flips", scatter_figure(subject));
    add("margin-calibration", calibration_figure(subject));
  }
  return files;
}

}  // namespace unmask
