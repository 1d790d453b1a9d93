#include "unmask/report/paper_figures.h"

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/audit/findings.h"
#include "unmask/report/text_style.h"

namespace unmask {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ArmFindings arm(std::string name, std::uint64_t errors, double share, double score,
                double recovery) {
  ArmFindings arm;
  arm.arm = std::move(name);
  ChannelFindings channel;
  channel.name = "tool_name";
  channel.errors = errors;
  channel.per_call.value = share;
  arm.channels.push_back(channel);
  ScorePoint point;
  point.k = 10;
  point.score.value = score;
  arm.score.push_back(point);
  arm.recovery.next_call.share.value = recovery;
  return arm;
}

AuditFindings study() {
  AuditFindings findings;
  CellFindings damaged;
  damaged.info.cell = "damaged";
  damaged.reference = "bf16";
  damaged.arms = {arm("bf16", 651, 0.193, 0.667, 0.51), arm("int4", 1700, 0.342, 0.638, 0.5),
                  arm("int4-reflex", 900, 0.2, 0.70, 0.7)};
  ComparisonFindings compared;
  compared.arm = "int4";
  AmplificationFindings louder;
  louder.channel = "tool_name";
  louder.ratio.value = 2.53;
  compared.amplification.push_back(louder);
  for (const auto& [k, gap] : {std::pair(2, 0.25), std::pair(10, 0.029)}) {
    GapPoint point;
    point.k = k;
    point.gap.figure.value = gap;
    compared.gap.push_back(point);
  }
  FailureSetFindings set;
  set.channel = "tool_name";
  set.spearman = 0.99;
  set.novel_share = 0.001;
  compared.failure_sets.push_back(set);
  damaged.comparisons.push_back(compared);
  findings.cells.push_back(damaged);
  CellFindings clean;
  clean.info.cell = "clean";
  clean.reference = "bf16";
  clean.arms = {arm("int4", 0, 0.0, 0.60, 0.0), arm("int4-reflex", 0, 0.0, 0.59, 0.0)};
  findings.cells.push_back(clean);
  findings.study.gaps_surviving = 0;
  return findings;
}

const PaperCells kCells{"damaged", "clean", "int4", "int4-reflex"};

const PaperFigure* find(const std::vector<PaperFigure>& figures, std::string_view name) {
  for (const PaperFigure& figure : figures) {
    if (figure.name == name) return &figure;
  }
  return nullptr;
}

TEST(PaperFigures, TakesEachFromItsPlace) {
  const std::vector<PaperFigure> figures = paper_figures(study(), kCells);
  const struct {
    const char* name;
    double simulated;
    FigureRole role;
  } expected_figures[] = {
      {"hallucinated calls, BF16", 651, FigureRole::fitted},
      {"hallucinated calls, INT4", 1700, FigureRole::fitted},
      {"amplification an episode", 2.53, FigureRole::fitted},
      {"hallucinated share of calls, BF16", 19.3, FigureRole::prediction},
      {"hallucinated share of calls, INT4", 34.2, FigureRole::prediction},
      {"score at K = 10, BF16", 66.7, FigureRole::fitted},
      {"score at K = 10, INT4", 63.8, FigureRole::assumed},
      {"gap at K = 10", 2.9, FigureRole::assumed},
      {"gap at K = 2", 25.0, FigureRole::prediction},
      {"rank correlation of names", 0.99, FigureRole::prediction},
      {"novel share of names", 0.1, FigureRole::prediction},
      {"recovery, BF16", 51, FigureRole::prediction},
      {"recovery, INT4", 50, FigureRole::prediction},
      {"score at K = 10, INT4 repaired", 70, FigureRole::prediction},
      {"what repair wins where there is no leak", -1, FigureRole::assumed},
      {"score changes that survive the correction", 0, FigureRole::prediction},
  };
  EXPECT_EQ(figures.size(), std::size(expected_figures));
  for (const auto& expected : expected_figures) {
    const PaperFigure* figure = find(figures, expected.name);
    ASSERT_NE(figure, nullptr) << expected.name;
    ASSERT_TRUE(figure->simulated) << expected.name;
    EXPECT_NEAR(*figure->simulated, expected.simulated, 1e-9) << expected.name;
    EXPECT_EQ(figure->role, expected.role) << expected.name;
  }
}

TEST(PaperFigures, WhatTheStudyLacksIsLeftOutOrEmpty) {
  AuditFindings findings = study();
  findings.cells[0].arms.pop_back();
  findings.cells[0].comparisons[0].gap.clear();
  findings.cells.pop_back();
  findings.study.reason = "too few cells";
  const std::vector<PaperFigure> figures = paper_figures(findings, kCells);
  EXPECT_EQ(find(figures, "score at K = 10, INT4 repaired"), nullptr);
  EXPECT_EQ(find(figures, "what repair wins where there is no leak"), nullptr);
  EXPECT_EQ(find(figures, "score changes that survive the correction"), nullptr);
  ASSERT_NE(find(figures, "gap at K = 2"), nullptr);
  EXPECT_FALSE(find(figures, "gap at K = 2")->simulated);
  EXPECT_TRUE(paper_figures({}, kCells).size() <= 1);
}

TEST(PaperFigures, TextSaysHowFarOffEachIs) {
  const TextStyle style{.width = 110, .unicode = false};
  const std::string text = paper_figures_text(paper_figures(study(), kCells), style);
  EXPECT_THAT(text, HasSubstr("1,646"));
  EXPECT_THAT(text, HasSubstr("+54"));
  EXPECT_THAT(text, HasSubstr("-4.1"));
  EXPECT_THAT(text, HasSubstr("none or slight harm"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(paper_figures_json(paper_figures(study(), kCells)),
              HasSubstr("\"name\":\"gap at K = 2\",\"unit\":\"points\",\"paper\":16.7"));
}

}  // namespace
}  // namespace unmask
