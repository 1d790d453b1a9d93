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
#include "unmask/report/csv_report.h"
#include "unmask/report/json_report.h"
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

CellFindings split_cell() {
  CellFindings cell = cell_of(true);
  for (SingleTurnArm& arm : cell.single_turn.arms) {
    const bool damaged = arm.arm == "int4";
    arm.by_due = {
        {.due = Party::agent, .tasks = 20, .answers = 400, .right = {0.98, 0.97, 0.99, ""}},
        {.due = Party::user,
         .tasks = 18,
         .answers = 700,
         .right = {damaged ? 0.5 : 0.75, 0.4, 0.8, ""}}};
  }
  cell.single_turn.comparisons[0].by_due = {
      {.due = Party::agent,
       .shared_tasks = 20,
       .gap = {.figure = {0.003, -0.01, 0.02, ""}, .p = 0.6, .p_adjusted = {}},
       .equivalent = true},
      {.due = Party::user,
       .shared_tasks = 18,
       .gap = {.figure = {0.25, 0.1, 0.4, ""}, .p = 0.001, .p_adjusted = {}}}};
  return cell;
}

TEST(SingleTurnFacts, AreSplitByWhoseStepIsDue) {
  CellFindings cell = split_cell();
  EXPECT_THAT(
      facts_of(cell),
      AllOf(HasSubstr("int4: where a call is due 98.0 % right of 400 answers; where the user's "
                      "step is due, to be asked for in words, 50.0 % right of 700 answers"),
            HasSubstr("int4: gap where a call is due 0.3 [-1.0, 2.0] (p 0.60), equivalent; where "
                      "the user's step is 25.0 [10.0, 40.0]")));
  for (SingleTurnArm& arm : cell.single_turn.arms) arm.by_due.pop_back();
  cell.single_turn.comparisons[0].by_due.pop_back();
  EXPECT_EQ(facts_of(cell), facts_of(cell_of(true))) << "of one party only: nothing is added";
}

TEST(SingleTurnFacts, StandInEveryOtherForm) {
  AuditFindings findings;
  findings.cells = {split_cell(), split_cell()};
  findings.cells[1].info.cell = "other/telecom";
  EXPECT_THAT(text_report(findings, {.width = 120}), HasSubstr("at calls"));
  EXPECT_THAT(audit_markdown(findings), HasSubstr("where a call is due 98.0 % right"));
  EXPECT_THAT(audit_csv(findings),
              AllOf(HasSubstr("gemma/telecom,int4,first_call_answers,,,1100,"),
                    HasSubstr("gemma/telecom,int4,first_call_unknown_tool,,,100,"),
                    HasSubstr("gemma/telecom,int4,first_call_user_due_right_share,,,0.5,0.4,0.8,"),
                    HasSubstr("gemma/telecom,int4,first_call_gap_points,,,1.4,-0.4,3.2,0.12,"),
                    HasSubstr("gemma/telecom,int4,first_call_agent_due_gap_points,,,0.3,"),
                    HasSubstr("gemma/telecom,int4,first_call_amplification,tool_name,,1.2,")));
  const std::string json = audit_json(findings);
  EXPECT_THAT(json, AllOf(HasSubstr("\"by_due\""), HasSubstr("\"answers\": 700")));
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
  repair.extra_calls = {-1.1, -2.0, -0.2, ""};
  repair.extra_tokens = {20.0, 10.0, 30.0, ""};
  EXPECT_THAT(text_of(), HasSubstr("1.1 fewer calls and 20 more tokens an episode"));
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
