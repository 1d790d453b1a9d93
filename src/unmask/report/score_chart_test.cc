#include "unmask/report/score_chart.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/report/character_width.h"
#include "unmask/report/text_style.h"

namespace unmask::text {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr TextStyle kStyle;

std::string joined(const std::vector<std::string>& lines) {
  std::string text = "\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

ScoreChart two_arms() {
  ScoreChart chart;
  chart.title = "score";
  chart.budgets = {1, 2, 3, 4};
  chart.series = {{.label = "bf16", .values = {30.0, 45.0, 58.0, 60.0}, .reference = true},
                  {.label = "int4", .values = {20.0, 31.0, 50.0, 59.0}}};
  chart.rows = {{.label = "gap", .values = {"10.0", "14.0", "8.0", "1.0"}}};
  return chart;
}

TEST(ScoreChart, DrawsLineMarkersAndLabels) {
  EXPECT_EQ(joined(chart_lines(two_arms(), 60, kStyle)), R"(
score
  60┤               ▄▄▄▄▄▄● ▄ bf16 60.0
    │             ▄▀  ···   ● int4 59.0
  50┤           ▄▀  ●·
    │        ▄▀▀  ··
  40┤      ▄▀    ·
    │    ▄▀    ··
  30┤   ▀    ·●
    │     ···
  20┤   ●·
    └───┬─────┬─────┬─────┬
K       1     2     3     4
gap    10.0  14.0   8.0   1.0
)");
}

TEST(ScoreChart, AsciiHasNothingElse) {
  for (const std::string& line : chart_lines(two_arms(), 60, {.unicode = false})) {
    EXPECT_TRUE(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; })) << line;
  }
}

TEST(ScoreChart, NeverExceedsItsWidth) {
  ScoreChart chart = two_arms();
  chart.budgets.resize(40);
  std::iota(chart.budgets.begin(), chart.budgets.end(), 1);
  for (ChartSeries& series : chart.series) series.values.assign(40, 50.0);
  chart.rows.front().values.assign(40, "-10.0");
  chart.keep = {2, 5};
  for (int width = 40; width <= 200; width += 7) {
    const std::vector<std::string> lines = chart_lines(chart, width, kStyle);
    for (const std::string& line : lines) EXPECT_LE(display_width(line), width) << line;
  }
}

TEST(ScoreChart, KeepsTheHeadlineBudgets) {
  ScoreChart chart;
  chart.keep = {2, 5};
  for (int k = 1; k <= 30; ++k) chart.budgets.push_back(k);
  chart.series = {{.label = "a", .values = std::vector<std::optional<double>>(30, 40.0)}};
  const std::vector<std::string> lines = chart_lines(chart, 40, kStyle);
  const std::string& budgets = lines.back();
  for (const char* k : {" 1 ", " 2 ", " 5 ", " 30"})
    EXPECT_NE((budgets + " ").find(k), std::string::npos) << budgets;
}

TEST(ScoreChart, LargeBudgetsDoNotRunTogether) {
  ScoreChart chart;
  chart.budgets.resize(400);
  std::iota(chart.budgets.begin(), chart.budgets.end(), 1);
  chart.series = {{.label = "bf16", .values = std::vector<std::optional<double>>(400, 50.0)}};
  for (const int width : {60, 80, 100, 160}) {
    const std::vector<std::string> lines = chart_lines(chart, width, kStyle);
    std::istringstream numbers(lines.back().substr(1));
    int before = 0;
    for (int budget = 0; numbers >> budget; before = budget) {
      EXPECT_GT(budget, before);
      EXPECT_LE(budget, 400) << lines.back();
    }
    EXPECT_EQ(before, 400) << lines.back();
  }
}

TEST(ScoreChart, LabelsNeverShareARow) {
  ScoreChart chart;
  chart.budgets = {1, 2};
  for (const char* name : {"a", "b", "c", "d", "e"})
    chart.series.push_back({.label = name, .values = {50.0, 50.0}});
  const std::vector<std::string> lines = chart_lines(chart, 60, kStyle);
  for (const char* label : {" a 50.0", " b 50.0", " c 50.0", " d 50.0", " e 50.0"}) {
    const auto holds = [&](const std::string& line) {
      return line.find(label) != std::string::npos;
    };
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(), holds), 1) << label;
  }
}

TEST(ScoreChart, GapsInASeriesStayGaps) {
  ScoreChart chart;
  chart.budgets = {1, 2, 3};
  chart.series = {{.label = "a", .values = {std::nullopt, 50.0, std::nullopt}}};
  const std::string text = joined(chart_lines(chart, 60, kStyle));
  EXPECT_EQ(text.find("·"), std::string::npos) << text;
  EXPECT_NE(text.find("●"), std::string::npos) << text;
}

TEST(ScoreChart, OneBudgetHasRowsOnly) {
  ScoreChart chart = two_arms();
  chart.budgets = {1};
  EXPECT_THAT(chart_lines(chart, 60, kStyle), ElementsAre("score", "K       1", "gap    10.0"));
  EXPECT_THAT(chart_lines(ScoreChart{}, 60, kStyle), IsEmpty());
}

}  // namespace
}  // namespace unmask::text
