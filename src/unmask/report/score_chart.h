#pragma once

#include <optional>
#include <string>
#include <vector>

#include "unmask/report/text_style.h"

namespace unmask::text {

/// One arm's curve.
struct ChartSeries {
  std::string label;                          ///< safe to show
  std::vector<std::optional<double>> values;  ///< per cent, one a budget of the chart
  bool reference = false;                     ///< drawn as a line; others as markers
  Paint paint = Paint::none;
};

/// Numbers under the axis, one a budget.
struct ChartRow {
  std::string label;
  std::vector<std::string> values;
};

/// S(K) of a cell's arms. Series are drawn in order, later ones over earlier ones.
struct ScoreChart {
  std::string title;
  std::vector<int> budgets;  ///< ascending
  std::vector<ChartSeries> series;
  std::vector<ChartRow> rows;
  std::vector<int> keep;  ///< budgets that stay when there is not room for all
};

/// The marker that stands for series `index` (the reference: its line).
[[nodiscard]] std::string_view marker_of(const ScoreChart& chart, std::size_t index,
                                         const TextStyle& style);

/// Lines of at most `width` columns: title, plot, axis, budgets, rows. Without a value, or with
/// fewer than two budgets, only the rows remain.
[[nodiscard]] std::vector<std::string> chart_lines(const ScoreChart& chart, int width,
                                                   const TextStyle& style);

}  // namespace unmask::text
