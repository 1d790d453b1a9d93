#include "unmask/report/score_chart.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/report/character_width.h"
#include "unmask/report/number_text.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"

namespace unmask::text {
namespace {

constexpr int kWidestStep = 6;     // columns a budget
constexpr int kMostIntervals = 6;  // labelled intervals of the vertical axis
constexpr double kLeastRange = 5;  // points; flatter curves do not fill the height

// The vertical axis: row 0 is the top one; a label stands on every second row.
struct Axis {
  double bottom = 0.0;
  double interval = 10.0;  // between labels, in per cent
  int rows = 1;

  // In half rows from the bottom row's lower half.
  [[nodiscard]] int half_rows(double value) const {
    const double in_rows = (value - bottom) / (interval / 2.0) + 0.5;
    return std::clamp(static_cast<int>(std::floor(2.0 * in_rows)), 0, 2 * rows - 1);
  }
  [[nodiscard]] int row(double value) const { return rows - 1 - half_rows(value) / 2; }
};

Axis axis_for(const ScoreChart& chart, const std::vector<std::size_t>& shown) {
  double least = 100.0;
  double most = 0.0;
  for (const ChartSeries& series : chart.series) {
    for (const std::size_t i : shown) {
      if (i >= series.values.size()) continue;
      const std::optional<double>& value = series.values[i];
      least = std::min(least, value.value_or(least));
      most = std::max(most, value.value_or(most));
    }
  }
  if (most - least < kLeastRange) {
    const double middle = (most + least) / 2.0;
    least = std::max(0.0, middle - kLeastRange / 2.0);
    most = least + kLeastRange;
  }
  for (const double interval : {2.0, 5.0, 10.0, 20.0}) {
    const double bottom = std::floor(least / interval) * interval;
    const double top = std::ceil(most / interval) * interval;
    const double intervals = (top - bottom) / interval;
    if (intervals <= kMostIntervals || interval == 20.0) {
      return {bottom, interval, static_cast<int>(std::lround(2.0 * intervals)) + 1};
    }
  }
  return {};
}

// Which budgets there is room for: first and last, those to keep, then evenly spread ones.
std::vector<std::size_t> shown_budgets(const ScoreChart& chart, std::size_t room) {
  const std::size_t all = chart.budgets.size();
  std::vector<std::size_t> shown(all);
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (all <= room) return shown;
  std::vector<bool> chosen(all, false);
  std::size_t count = 0;
  const auto choose = [&](std::size_t i) {
    if (count < room && !chosen[i]) {
      chosen[i] = true;
      ++count;
    }
  };
  choose(0);
  choose(all - 1);
  for (std::size_t i = 0; i < all; ++i) {
    if (std::ranges::find(chart.keep, chart.budgets[i]) != chart.keep.end()) choose(i);
  }
  for (std::size_t parts = 2; count < room && parts < 2 * all; ++parts) {
    for (std::size_t part = 1; part < parts; ++part) choose(part * (all - 1) / parts);
  }
  std::erase_if(shown, [&](std::size_t i) { return !chosen[i]; });
  return shown;
}

struct PlotCell {
  std::string_view glyph = " ";
  Paint paint = Paint::none;
};
using Plot = std::vector<std::vector<PlotCell>>;  // [row][column]

// The value of `series` at plot column `x`, between the budgets that were measured.
std::optional<double> value_at(const ChartSeries& series, const std::vector<std::size_t>& shown,
                               int step, int x) {
  const int offset = x - step / 2;
  if (offset < 0) return std::nullopt;
  const auto left = static_cast<std::size_t>(offset / step);
  const int within = offset % step;
  const auto at = [&](std::size_t i) -> std::optional<double> {
    if (i >= shown.size() || shown[i] >= series.values.size()) return std::nullopt;
    return series.values[shown[i]];
  };
  if (within == 0) return at(left);
  const std::optional<double> before = at(left);
  const std::optional<double> after = at(left + 1);
  if (!before || !after) return std::nullopt;
  const double share = static_cast<double>(within) / step;
  return *before * (1.0 - share) + *after * share;
}

void draw_line(Plot& plot, const ChartSeries& series, const std::vector<std::size_t>& shown,
               int step, const Axis& axis, const Glyphs& glyph) {
  constexpr int kNothing = -1;  // no point in the column before
  std::vector<std::vector<bool>> halves(plot.front().size(),
                                        std::vector<bool>(2 * plot.size(), false));
  int before = kNothing;
  for (std::size_t x = 0; x < halves.size(); ++x) {
    const std::optional<double> value = value_at(series, shown, step, static_cast<int>(x));
    if (!value) {
      before = kNothing;
      continue;
    }
    const int here = axis.half_rows(*value);
    // A steep line stays connected: the rows between two columns belong to the right one.
    int from = here;
    if (before != kNothing && before < here - 1) from = before + 1;
    if (before != kNothing && before > here + 1) from = before - 1;
    for (int half = std::min(from, here); half <= std::max(from, here); ++half) {
      halves[x][static_cast<std::size_t>(half)] = true;
    }
    before = here;
  }
  for (std::size_t row = 0; row < plot.size(); ++row) {
    const std::size_t lower = 2 * (plot.size() - 1 - row);
    for (std::size_t x = 0; x < halves.size(); ++x) {
      const bool has_lower = halves[x][lower];
      const bool has_upper = halves[x][lower + 1];
      if (!has_lower && !has_upper) continue;
      plot[row][x] = {has_lower && has_upper ? glyph.line_both
                      : has_upper            ? glyph.line_upper
                                             : glyph.line_lower,
                      series.paint};
    }
  }
}

void draw_markers(Plot& plot, const ChartSeries& series, const std::vector<std::size_t>& shown,
                  int step, const Axis& axis, std::string_view marker, std::string_view trail) {
  for (std::size_t x = 0; x < plot.front().size(); ++x) {
    const std::optional<double> value = value_at(series, shown, step, static_cast<int>(x));
    if (!value) continue;
    PlotCell& cell = plot[static_cast<std::size_t>(axis.row(*value))][x];
    const bool measured = (static_cast<int>(x) - step / 2) % step == 0;
    if (measured) {
      cell = {marker, series.paint};
    } else if (cell.glyph == " ") {
      cell = {trail, series.paint};
    }
  }
}

struct Label {
  std::string content;
  Paint paint = Paint::none;
  double value = 0.0;
  int row = 0;
};

// At the right of each curve's last point, one a row.
std::vector<Label> labels_for(const ScoreChart& chart, const Axis& axis, bool with_values,
                              const TextStyle& style) {
  std::vector<Label> labels;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& series = chart.series[i];
    std::optional<double> last;
    for (const std::optional<double>& value : series.values) {
      if (value) last = value;
    }
    if (!last) continue;
    std::string content(marker_of(chart, i, style));
    content.append(" ").append(series.label);
    if (with_values) content.append(" ").append(fixed(*last, 1));
    labels.push_back({std::move(content), series.paint, *last, axis.row(*last)});
  }
  std::ranges::stable_sort(labels,
                           [](const Label& a, const Label& b) { return a.value > b.value; });
  for (std::size_t i = 1; i < labels.size(); ++i) {
    labels[i].row = std::max(labels[i].row, labels[i - 1].row + 1);
  }
  int lowest = axis.rows - 1;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    label->row = std::min(label->row, lowest);
    lowest = label->row - 1;
  }
  std::erase_if(labels, [](const Label& label) { return label.row < 0; });
  return labels;
}

std::string centred(std::string_view content, int width, int centre) {
  const int left = std::clamp(centre - (display_width(content) - 1) / 2, 0,
                              std::max(0, width - display_width(content)));
  return padded_right(std::string(static_cast<std::size_t>(left), ' ').append(content), width);
}

int widest_in(const ChartRow& row) {
  int widest = 0;
  for (const std::string& value : row.values) widest = std::max(widest, display_width(value));
  return widest;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string_view marker_of(const ScoreChart& chart, std::size_t index, const TextStyle& style) {
  const Glyphs& glyph = glyphs(style);
  if (chart.series[index].reference) return glyph.line_lower;
  std::size_t markers = 0;
  for (std::size_t i = 0; i < index; ++i) {
    if (!chart.series[i].reference) ++markers;
  }
  return glyph.markers.at(markers % glyph.markers.size());
}

std::vector<std::string> chart_lines(const ScoreChart& chart, int width, const TextStyle& style) {
  if (chart.budgets.empty()) return {};
  const Glyphs& glyph = glyphs(style);
  int margin = 4;
  int widest_number = 2;
  for (const ChartRow& row : chart.rows) {
    margin = std::max(margin, display_width(row.label));
    widest_number = std::max(widest_number, widest_in(row));
  }
  for (const int budget : chart.budgets) {
    widest_number = std::max(widest_number, static_cast<int>(std::to_string(budget).size()));
  }
  int name_width = 0;
  for (const ChartSeries& series : chart.series)
    name_width = std::max(name_width, display_width(series.label));
  const int least_step = widest_number + 1;
  const auto room_with = [&](int label_width) {
    return std::max(1, width - margin - 1 - label_width + (least_step - 1) / 2);
  };
  // The last score stands beside the name unless budgets would have to go for it.
  const int needed = static_cast<int>(chart.budgets.size()) * least_step;
  const bool with_values = room_with(name_width + 9) >= needed;
  const int room = room_with(name_width + (with_values ? 9 : 3));
  const std::vector<std::size_t> shown =
      shown_budgets(chart, static_cast<std::size_t>(std::max(2, room / least_step)));
  const int count = static_cast<int>(shown.size());
  const int step = std::clamp(room / count, least_step, std::max(kWidestStep, least_step));
  const int plot_width = (count - 1) * step + step / 2 + 1;

  std::vector<std::string> lines;
  if (!chart.title.empty()) lines.push_back(painted(chart.title, Paint::dim, style));
  if (count >= 2) {
    const Axis axis = axis_for(chart, shown);
    Plot plot(static_cast<std::size_t>(axis.rows),
              std::vector<PlotCell>(static_cast<std::size_t>(plot_width)));
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
      const ChartSeries& series = chart.series[i];
      if (series.reference) {
        draw_line(plot, series, shown, step, axis, glyph);
      } else {
        draw_markers(plot, series, shown, step, axis, marker_of(chart, i, style), glyph.trail);
      }
    }
    const std::vector<Label> labels = labels_for(chart, axis, with_values, style);
    for (int row = 0; row < axis.rows; ++row) {
      const bool labelled = row % 2 == 0;
      const double value = axis.bottom + axis.interval / 2.0 * (axis.rows - 1 - row);
      std::string line = padded_left(labelled ? fixed(value, 0) : "", margin);
      line.append(labelled ? glyph.axis_tick_left : glyph.axis_vertical);
      std::size_t blanks = 0;  // kept back so that no line ends in spaces
      for (const PlotCell& cell : plot[static_cast<std::size_t>(row)]) {
        if (cell.glyph == " ") {
          ++blanks;
          continue;
        }
        line.append(std::exchange(blanks, 0), ' ').append(painted(cell.glyph, cell.paint, style));
      }
      for (const Label& label : labels) {
        if (label.row == row)
          line.append(blanks + 1, ' ').append(painted(label.content, label.paint, style));
      }
      lines.push_back(std::move(line));
    }
    std::string axis_line = padded_left("", margin).append(glyph.axis_corner);
    for (int x = 0; x < plot_width; ++x) {
      axis_line.append((x - step / 2) % step == 0 ? glyph.axis_tick_down : glyph.axis_horizontal);
    }
    lines.push_back(std::move(axis_line));
  }
  const auto under_axis = [&](std::string_view label, const auto& number_of) {
    std::string line = padded_right(label, margin + 1);
    for (const std::size_t i : shown) line += centred(number_of(i), step, step / 2);
    return trimmed(std::move(line));
  };
  lines.push_back(under_axis("K", [&](std::size_t i) { return std::to_string(chart.budgets[i]); }));
  for (const ChartRow& row : chart.rows) {
    lines.push_back(under_axis(row.label, [&](std::size_t i) {
      return i < row.values.size() ? padded_left(row.values[i], widest_in(row)) : std::string();
    }));
  }
  return lines;
}

}  // namespace unmask::text
