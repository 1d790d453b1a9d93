#include "unmask/report/margin_rendering.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unmask/base/rng.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/margins/analyse.h"
#include "unmask/margins/findings.h"
#include "unmask/report/character_width.h"
#include "unmask/report/margin_words.h"
#include "unmask/report/producer.h"
#include "unmask/report/schema_fixtures.h"

namespace unmask {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Producer kProducer{"1.2.3", ""};

// Twenty tasks of six decisions; names as logs might have them.
ScoredDecisions scored_sample() {
  Rng random(7, "margin_rendering");
  ScoredDecisions scored;
  scored.arms = {
      {.name = "q8", .model = "small.gguf", .precision = "Q8_0", .bits_per_weight = 8.5},
      {.name = "q4", .model = "small4.gguf", .precision = "Q4_0", .bits_per_weight = 4.5},
      {.name = "q8 again", .model = "small.gguf", .precision = "Q8_0", .bits_per_weight = 8.5}};
  for (int task = 0; task < 20; ++task) {
    for (std::uint32_t i = 0; i < 6; ++i) {
      const double reference = 1.5 + 2.0 * random.normal();
      const double arm = reference - 0.3 + random.normal();
      ScoredDecision decision{.task_id = "task " + std::to_string(task), .message = 2 * i + 1};
      decision.options = {{.text = "get_order", .admissible = true, .golden = i == 0},
                          {.text = "evil\x1b[31m<script>name", .provenance = "novel"},
                          {.text = "get_orders", .provenance = "near_miss"}};
      decision.arms = {
          {.log_probability = {reference, 0.0, -1.0}},
          {.log_probability = {arm, 0.0, -1.0}, .divergence = std::abs(random.normal())},
          {.log_probability = {reference + 0.01 * random.normal(), 0.0, -1.0}}};
      scored.decisions.push_back(std::move(decision));
    }
  }
  scored.decisions.back().arms[1] = {.fault = "context_overflow"};
  return scored;
}

margins::MarginFindings sample() { return margins::analyse(scored_sample()); }

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(MarginJson, FitsItsSchema) {
  ScoredDecisions one = scored_sample();
  one.decisions.resize(1);
  EXPECT_THAT(
      golden::refused_by_schema("margins.json", {margin_json(sample(), kProducer),
                                                 margin_json(margins::analyse(one), kProducer),
                                                 margin_json(margins::analyse({}), kProducer)}),
      IsEmpty());
}

TEST(MarginJson, HoldsFiguresAndPoints) {
  const margins::MarginFindings findings = sample();
  const Json json = Json::parse(margin_json(findings, kProducer));
  EXPECT_EQ(json.at("schema"), "unmask.margins/1");
  const Json& group = json.at("comparisons").at(0).at("groups").at(0);
  EXPECT_EQ(group.at("name"), "tool_name");
  EXPECT_EQ(group.at("paired"), 119);
  EXPECT_EQ(group.at("points").size(), 119U);
  EXPECT_EQ(group.at("left_out").at(0).at("reason"), "context_overflow");
  EXPECT_NEAR(group.at("sigma").at("value").get<double>(),
              *findings.comparisons[0].groups[0].noise.sigma.value, 1e-9);
  EXPECT_EQ(json.at("comparisons").at(0).at("control"), false);
  EXPECT_EQ(json.at("comparisons").at(1).at("control"), true);
}

TEST(MarginText, FitsNarrowTerminalsAndIsSafe) {
  const margins::MarginFindings findings = sample();
  for (const bool unicode : {true, false}) {
    for (const int width : {60, 80, 120}) {
      const std::string text = margin_text(findings, {.width = width, .unicode = unicode});
      EXPECT_EQ(text.find('\x1b'), std::string::npos);
      for (const std::string& line : lines_of(text)) {
        EXPECT_LE(text::display_width(line), width) << line;
        if (!unicode) {
          EXPECT_TRUE(std::ranges::all_of(line, [](unsigned char c) { return c < 0x80; })) << line;
        }
      }
    }
  }
}

TEST(MarginText, SaysWhatMatters) {
  const std::string text = margin_text(sample(), {.width = 100});
  EXPECT_THAT(text, HasSubstr("q4 against q8"));
  EXPECT_THAT(text, HasSubstr("4.50 bits a weight"));
  EXPECT_THAT(text, HasSubstr("noise floor"));
  EXPECT_THAT(text, HasSubstr("1 left out: 1 context_overflow in the arm only"));
  EXPECT_THAT(text, HasSubstr("good decisions turn bad"));
  EXPECT_THAT(text, HasSubstr("first deviation"));
  EXPECT_THAT(margin_text(margins::analyse({}), {}), HasSubstr("no arm beside the reference"));
}

TEST(MarginMarkdown, HoldsTablesAndNoMarkup) {
  const std::string markdown = margin_markdown(sample());
  EXPECT_THAT(markdown, HasSubstr("### `q4` against `q8`"));
  EXPECT_THAT(markdown, HasSubstr("| tool"));
  EXPECT_THAT(margin_markdown(margins::analyse({})), HasSubstr("No margins to compare"));
}

TEST(MarginCsv, HasAllColumnsInEachLine) {
  const std::vector<std::string> lines = lines_of(margin_csv(sample()));
  ASSERT_GT(lines.size(), 100U);
  EXPECT_EQ(lines.front(), "arm,by,group,side,measure,at,value,low,high,reason");
  EXPECT_THAT(lines,
              testing::Contains(testing::StartsWith("q4,kind,tool_name,admissible,sigma,,")));
  for (const std::string& line : lines) {
    if (line.find('"') == std::string::npos) {
      EXPECT_EQ(std::ranges::count(line, ','), 9) << line;
    }
  }
}

TEST(MarginFigures, AreNamedByArmAndHoldNothingFromOutside) {
  const std::vector<FigureFile> files = margin_figures(sample());
  std::vector<std::string> names;
  for (const FigureFile& file : files) {
    names.push_back(file.name);
    EXPECT_THAT(file.svg, Not(HasSubstr("<script"))) << file.name;
    EXPECT_THAT(file.svg, Not(HasSubstr("nan"))) << file.name;
    EXPECT_THAT(file.svg, HasSubstr("</title>\n<desc id=\"description\">")) << file.name;
  }
  // Of the arm that is the reference again no decision flips, but it has noise to calibrate.
  EXPECT_THAT(names, ElementsAre("margin-histogram-q4.svg", "margin-flips-q4.svg",
                                 "margin-calibration-q4.svg", "margin-histogram-q8-again.svg",
                                 "margin-flips-q8-again.svg", "margin-calibration-q8-again.svg"));
  EXPECT_THAT(margin_figures(margins::analyse({})), IsEmpty());
}

TEST(MarginWords, CoarserBinsKeepEveryDecisionAndTheBorderAtZero) {
  std::vector<margins::HistogramBin> bins;
  for (int i = -3; i < 6; ++i)
    bins.push_back({.low = 1.0 * i, .high = i + 1.0, .outcomes = {.good_good = 1}});
  const std::vector<margins::HistogramBin> wider = text::coarser(bins, 5);
  ASSERT_EQ(wider.size(), 5U);
  std::uint32_t all = 0;
  bool border = false;
  for (const margins::HistogramBin& bin : wider) {
    all += bin.outcomes.good_good;
    border = border || bin.high == 0.0;
  }
  EXPECT_EQ(all, 9U);
  EXPECT_TRUE(border);
}

}  // namespace
}  // namespace unmask
