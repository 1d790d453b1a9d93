#include "unmask/report/figures.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/audit/findings.h"
#include "unmask/report/figure_style.h"
#include "unmask/report/report_sample.h"
#include "unmask/report/svg_drawing.h"
#include "unmask/report/svg_scale.h"

namespace unmask {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> names_of(const std::vector<FigureFile>& files) {
  std::vector<std::string> names;
  for (const FigureFile& file : files) names.push_back(file.name);
  return names;
}

std::string figure_named(const AuditFindings& findings, const std::string& name) {
  for (const FigureFile& file : audit_figures(findings))
    if (file.name == name) return file.svg;
  ADD_FAILURE() << "no figure " << name;
  return {};
}

TEST(Figures, AreNamedByWhatThereIsMoreThanOneOf) {
  EXPECT_THAT(
      names_of(audit_figures(sample::masked_audit())),
      ElementsAre("score.svg", "channels.svg", "failure-set-fp8.svg", "failure-set-int4.svg",
                  "amplification-fp8.svg", "amplification-int4.svg", "grid.svg"));
  const std::vector<std::string> study = names_of(audit_figures(sample::study_audit()));
  EXPECT_EQ(std::set(study.begin(), study.end()).size(), study.size());
  EXPECT_THAT(study, Not(Contains("score.svg")));
}

TEST(Figures, OfNothingAreNone) {
  EXPECT_THAT(audit_figures(AuditFindings{}), IsEmpty());
  EXPECT_THAT(names_of(audit_figures(sample::empty_audit())), IsEmpty());
}

TEST(Figures, SayEveryScoreAndGap) {
  const AuditFindings findings = sample::masked_audit();
  const std::string svg = figure_named(findings, "score.svg");
  EXPECT_THAT(svg, HasSubstr("<title>int4, K=2: "));
  EXPECT_THAT(svg, HasSubstr(" points</title>"));
  EXPECT_THAT(svg, HasSubstr("<desc id=\"description\">If the K-th failed call ends an episode: "
                             "at K=2 bf16 "));
}

TEST(Figures, HoldNoScriptNoStyleSheetAndNothingFromOutside) {
  for (const FigureFile& file : audit_figures(sample::study_audit())) {
    EXPECT_THAT(file.svg, Not(HasSubstr("<script"))) << file.name;
    EXPECT_THAT(file.svg, Not(HasSubstr("<style"))) << file.name;
    EXPECT_THAT(file.svg, Not(HasSubstr("href"))) << file.name;
    EXPECT_THAT(file.svg, HasSubstr("</title>\n<desc id=\"description\">")) << file.name;
    EXPECT_THAT(file.svg, Not(HasSubstr("nan"))) << file.name;
    EXPECT_THAT(file.svg, Not(HasSubstr("\"inf"))) << file.name;
  }
}

TEST(Figures, EscapeWhatLogsCallThemselves) {
  AuditFindings findings = sample::masked_audit();
  CellFindings& cell = findings.cells.front();
  cell.info.cell = "</text><script>alert(1)</script>";
  cell.arms.back().arm = "../..\x01\" onload=\"x";
  cell.comparisons.back().arm = cell.arms.back().arm;
  cell.arms.back().hallucinated = {
      {.name = "a\xef\xbf\xbf\xff<b>", .count = 5, .provenance = "novel"}};
  for (const FigureFile& file : audit_figures(findings)) {
    EXPECT_THAT(file.svg, Not(HasSubstr("<script"))) << file.name;
    EXPECT_THAT(file.svg, Not(HasSubstr("<b>"))) << file.name;
    EXPECT_THAT(file.svg, Not(HasSubstr("\" onload"))) << file.name;
    EXPECT_THAT(file.svg, Not(HasSubstr("\xef\xbf\xbf"))) << file.name;
    EXPECT_EQ(file.name.find_first_of("/\\\"\x01"), std::string::npos) << file.name;
  }
}

TEST(Scales, PutNumbersInTheirPlaces) {
  const svg::Scale up{.from = 0.0, .to = 1.0, .start = 100.0, .end = 0.0};
  EXPECT_DOUBLE_EQ(up(0.25), 75.0);
  EXPECT_DOUBLE_EQ(up(2.0), 0.0);  // held at the end
  const svg::Scale log{.kind = svg::Scale::Kind::log, .from = 1, .to = 100, .start = 0, .end = 10};
  EXPECT_NEAR(log(10.0), 5.0, 1e-12);
  const svg::Scale root{.kind = svg::Scale::Kind::root, .to = 4, .start = 0, .end = 10};
  EXPECT_NEAR(root(1.0), 5.0, 1e-12);
}

TEST(Ticks, AreRoundNumbersInsideTheRange) {
  EXPECT_THAT(svg::ticks(0.0, 1.0, 5), ElementsAre(0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0));
  EXPECT_THAT(svg::ticks(-12.0, 31.0, 4), ElementsAre(-10.0, 0.0, 10.0, 20.0, 30.0));
  const svg::Scale wide = svg::rounded({.from = -0.03, .to = 0.61}, 4);
  EXPECT_DOUBLE_EQ(wide.from, -0.2);
  EXPECT_DOUBLE_EQ(wide.to, 0.8);
}

TEST(Ticks, KeepApartButForTheOneThatMatters) {
  const svg::Scale scale{.from = 0.0, .to = 10.0, .start = 0.0, .end = 100.0};
  EXPECT_THAT(svg::spaced(scale, {0, 1, 2, 4, 5, 9, 11}, 30.0, 5.0), ElementsAre(0.0, 5.0, 9.0));
}

TEST(FigureStyle, FillsBlanksOnceAndKnowsItsWords) {
  EXPECT_EQ(figure::filled("a {k} and {v}{k}", {{"k", "{v}"}, {"v", "2"}}), "a {v} and 2{v}");
  EXPECT_EQ(figure::words("channel", "tool_name"), "hallucinated tool names");
  EXPECT_EQ(figure::words("channel", "not known"), "not known");
  EXPECT_EQ(figure::palette().provenances.size(), figure::palette().provenance_colours.size());
}

}  // namespace
}  // namespace unmask
