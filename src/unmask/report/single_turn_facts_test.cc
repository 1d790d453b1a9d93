// What the report says of first calls, beside the loop's figures, and of intercepted calls.
#include "unmask/report/single_turn_facts.h"

#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/audit/findings.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/first_call.h"
#include "unmask/report/cell_facts.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/markdown_report.h"
#include "unmask/report/text_report.h"
#include "unmask/report/text_style.h"

namespace unmask {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

SingleTurnArm arm_of(const std::string& name, double right) {
  SingleTurnArm arm;
  arm.arm = name;
  arm.tasks = 20;
  arm.answers = 1100;
  arm.calls[static_cast<std::size_t>(FirstCall::right)] = 1000;
  arm.calls[static_cast<std::size_t>(FirstCall::unknown_tool)] = 100;
  arm.right = {right, right - 0.02, right + 0.02, ""};
  return arm;
}

CellFindings cell_of(bool with_loop) {
  CellFindings cell;
  cell.info.cell = "gemma/telecom";
  cell.reference = "bf16";
  cell.single_turn.arms = {arm_of("bf16", 0.911), arm_of("int4", 0.897)};
  SingleTurnComparison& comparison = cell.single_turn.comparisons.emplace_back();
  comparison.arm = "int4";
  comparison.shared_tasks = 20;
  comparison.gap = {.figure = {0.014, -0.004, 0.032, ""}, .p = 0.12, .p_adjusted = {}};
  comparison.equivalent = true;
  AmplificationFindings names;
  names.channel = "tool_name";
  names.errors_ref = 100;
  names.errors_arm = 120;
  names.ratio = {1.2, 1.05, 1.37, ""};
  comparison.amplification = {names};
  if (!with_loop) return cell;
  ComparisonFindings& loop = cell.comparisons.emplace_back();
  loop.arm = "int4";
  loop.k_obs = 10;
  loop.gap = {{.k = 2, .gap = {.figure = {0.167, 0.1, 0.2, ""}, .p = {}, .p_adjusted = {}}},
              {.k = 10, .gap = {.figure = {0.055, 0.01, 0.1, ""}, .p = {}, .p_adjusted = {}}}};
  loop.widening = {{.k = 2, .widening = {}}};
  names.errors_ref = 650;
  names.errors_arm = 1647;
  names.ratio = {2.53, 2.2, 2.9, ""};
  loop.amplification = {names};
  return cell;
}

std::string facts_of(const CellFindings& cell) {
  std::string text;
  for (const text::Fact& fact : text::single_turn_facts(cell, {})) {
    text += fact.tag + "|" + fact.sentence + "\n";
  }
  return text;
}

TEST(SingleTurnFacts, AreNoneWithoutFirstCalls) {
  EXPECT_TRUE(text::single_turn_facts(CellFindings{}, {}).empty());
  AuditFindings findings;
  findings.cells.resize(2);
  EXPECT_TRUE(text::single_turn_lines(findings, {}).empty());
}

TEST(SingleTurnFacts, StandBesideTheLoop) {
  EXPECT_THAT(
      facts_of(cell_of(true)),
      AllOf(HasSubstr("bf16: 91.1 % right; of 1,100 answers on 20 tasks 1,000 right and 100 "
                      "of a name not offered"),
            HasSubstr("int4: gap 1.4 points [-0.4, 3.2] (p 0.12), equivalent; in the loop "
                      "5.5 at K=10 and 16.7 at K=2"),
            HasSubstr("hallucinated tool names 100 and 120"), HasSubstr("1.20"),
            HasSubstr("in the loop 650 and 1,647"), HasSubstr("2.5")));
  EXPECT_THAT(facts_of(cell_of(false)),
              AllOf(HasSubstr("gap 1.4 points"), Not(HasSubstr("in the loop"))));
}

TEST(SingleTurnFacts, MakeATableOfAStudy) {
  AuditFindings findings;
  findings.cells = {cell_of(true), cell_of(false)};
  findings.cells[1].info.cell = "other/telecom";
  const std::string report = text_report(findings, {});
  EXPECT_THAT(report,
              AllOf(HasSubstr("first calls at the states of perfect runs"),
                    HasSubstr("gemma/telecom"), HasSubstr("other/telecom"), HasSubstr("16.7")));
}

TEST(SingleTurnFacts, StandInMarkdown) {
  AuditFindings findings;
  findings.cells = {cell_of(false)};
  RepairFindings& repair = findings.cells[0].repairs.emplace_back();
  repair.arm = "int4-held";
  repair.unrepaired = "int4";
  EXPECT_THAT(audit_markdown(findings),
              AllOf(HasSubstr("*first call*"), HasSubstr("`int4-held`: **no effect shown**")));
}

TEST(RepairFacts, TellWhatWasIntercepted) {
  RepairFindings repair;
  repair.arm = "int4-held";
  repair.unrepaired = "int4";
  const auto text_of = [&] {
    std::string text;
    for (const text::Fact& fact : text::repair_facts(repair, {})) text += fact.sentence + "\n";
    return text;
  };
  EXPECT_THAT(text_of(), Not(HasSubstr("wrong call")));
  InterceptedFindings& found = repair.intercepted.emplace();
  EXPECT_THAT(text_of(), HasSubstr("0 wrong calls in 0 episodes"));
  found.calls = 31;
  found.episodes_with = 12;
  found.by_channel[static_cast<std::size_t>(Channel::tool_name)] = 30;
  found.by_channel[static_cast<std::size_t>(Channel::arguments)] = 1;
  const auto score = [](double value) { return Figure{value, value - 0.1, value + 0.1, ""}; };
  found.scores = {
      {1, score(0.3), score(0.2)}, {2, score(0.5), score(0.4)}, {3, score(0.7), score(0.6)}};
  EXPECT_THAT(text_of(), AllOf(HasSubstr("31 wrong calls in 12 episodes"),
                               HasSubstr("30 hallucinated tool names and 1 "),
                               HasSubstr("score 70.0 % at K=3, with them counted 60.0 %"),
                               HasSubstr("50.0 % at K=2, with them counted 40.0 %")));
}

}  // namespace
}  // namespace unmask
