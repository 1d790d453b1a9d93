// First calls at the states of perfect runs, compared by task.
#include "unmask/audit/single_turn.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/audit/audit.h"
#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/first_call.h"

namespace unmask {
namespace {

/// One task a list of answers.
ArmFacts arm_of(const std::string& name, const std::vector<std::vector<FirstCall>>& tasks) {
  ArmFacts arm;
  arm.name = name;
  arm.kinds.intern("");
  arm.names.intern("look");
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::string id = "task_" + std::to_string(i);
    arm.tasks.push_back({id, id});
    int trial = 0;
    for (const FirstCall first_call : tasks[i]) {
      EpisodeFacts answer;
      answer.task = static_cast<std::uint32_t>(i);
      answer.trial = trial++;
      answer.first_call = first_call;
      answer.success = first_call == FirstCall::right;
      answer.reward = answer.success ? 1.0 : 0.0;
      answer.termination = Termination::max_steps;
      if (first_call != FirstCall::no_call) {
        CallFacts call;
        call.failed = first_call == FirstCall::unknown_tool;
        call.channel = Channel::tool_name;
        answer.calls.push_back(call);
      }
      arm.episodes.push_back(std::move(answer));
    }
  }
  return arm;
}

AuditSettings quick() {
  AuditSettings settings;
  settings.bootstrap = 200;
  settings.label_swaps = 100;
  settings.sign_flips = 999;
  return settings;
}

constexpr FirstCall kRight = FirstCall::right;
constexpr FirstCall kUnknown = FirstCall::unknown_tool;

TEST(SingleTurn, IsNothingWithoutAnswers) {
  EXPECT_TRUE(single_turn_findings({}, "bf16", quick(), 0).arms.empty());
  const std::vector<ArmFacts> arms = {arm_of("bf16", {})};
  const SingleTurnFindings findings = single_turn_findings(arms, "bf16", quick(), 0);
  ASSERT_EQ(findings.arms.size(), 1U);
  EXPECT_FALSE(findings.arms[0].right.value.has_value());
  EXPECT_TRUE(findings.comparisons.empty());
}

TEST(SingleTurn, WeighsTasksAlike) {
  // One state in one task, four in the other.
  const std::vector<ArmFacts> arms = {
      arm_of("bf16", {{kRight}, {kRight, kRight, FirstCall::other_tool, FirstCall::no_call}}),
      arm_of("int4", {{kUnknown}, {kRight, kUnknown, FirstCall::wrong_arguments, kUnknown}})};
  const SingleTurnFindings findings = single_turn_findings(arms, "bf16", quick(), 0);
  ASSERT_EQ(findings.arms.size(), 2U);
  EXPECT_EQ(findings.arms[0].right.value, 0.75);
  EXPECT_EQ(findings.arms[1].right.value, 0.125);
  EXPECT_EQ(findings.arms[1].answers, 5U);
  EXPECT_EQ(findings.arms[1].calls[static_cast<std::size_t>(kUnknown)], 3U);
  EXPECT_EQ(findings.arms[1].failed[static_cast<std::size_t>(Channel::tool_name)], 3U);
  EXPECT_EQ(findings.arms[1].tool_name_share.value, 0.6);
  EXPECT_EQ(findings.arms[0].calls[static_cast<std::size_t>(FirstCall::no_call)], 1U);
  ASSERT_EQ(findings.comparisons.size(), 1U);
  EXPECT_EQ(findings.comparisons[0].arm, "int4");
  EXPECT_EQ(findings.comparisons[0].gap.figure.value, 0.625) << "the mean of 1 and 0.25";
  EXPECT_FALSE(findings.comparisons[0].gap.p_adjusted.has_value());
}

TEST(SingleTurn, ComparesSharedTasksAndErrorsAnAnswer) {
  std::vector<std::vector<FirstCall>> reference, damaged;
  for (int i = 0; i < 40; ++i) {
    reference.push_back({kRight, kRight, kRight, i % 4 == 0 ? kUnknown : kRight});
    damaged.push_back({kRight, kRight, kRight, i % 2 == 0 ? kUnknown : kRight});
  }
  damaged.pop_back();
  std::vector<ArmFacts> arms = {arm_of("bf16", reference), arm_of("int4", damaged)};
  const SingleTurnFindings findings = single_turn_findings(arms, "bf16", quick(), 0);
  const SingleTurnComparison& comparison = findings.comparisons.at(0);
  EXPECT_EQ(comparison.shared_tasks, 39U);
  EXPECT_NEAR(*comparison.gap.figure.value, 10.0 / (39.0 * 4.0), 1e-12);
  ASSERT_TRUE(comparison.gap.figure.low.has_value());
  EXPECT_GT(*comparison.gap.figure.low, 0.0);
  ASSERT_TRUE(comparison.gap.p.has_value());
  EXPECT_LT(*comparison.gap.p, 0.05);
  bool found = false;
  for (const AmplificationFindings& channel : comparison.amplification) {
    EXPECT_FALSE(channel.in_family);
    if (channel.channel != "tool_name") continue;
    found = true;
    EXPECT_EQ(channel.errors_ref, 10U);
    EXPECT_EQ(channel.errors_arm, 20U);
    EXPECT_NEAR(*channel.ratio.value, 2.0, 1e-12);
  }
  EXPECT_TRUE(found);
}

TEST(SingleTurn, IsSplitByWhoseStepIsDue) {
  // The user's step is due at the first state of each task, a call at the others; task 2 has none.
  const auto with_due = [](ArmFacts arm) {
    for (EpisodeFacts& answer : arm.episodes)
      answer.first_call_due = answer.trial == 0 ? Party::user : Party::agent;
    return arm;
  };
  std::vector<ArmFacts> arms = {
      with_due(arm_of("bf16", {{kRight, kRight}, {kRight, kRight, kUnknown}, {kRight}})),
      with_due(arm_of("int4", {{kUnknown, kRight}, {kUnknown, kUnknown, kRight}, {kUnknown}}))};
  const SingleTurnFindings findings = single_turn_findings(arms, "bf16", quick(), 0);
  const std::vector<SingleTurnSteps>& steps = findings.arms.at(1).by_due;
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].due, Party::agent);
  EXPECT_EQ(steps[0].tasks, 2U);
  EXPECT_EQ(steps[0].answers, 3U);
  EXPECT_EQ(steps[0].right.value, 0.75);
  EXPECT_EQ(steps[1].due, Party::user);
  EXPECT_EQ(steps[1].answers, 3U);
  EXPECT_EQ(steps[1].right.value, 0.0);
  EXPECT_EQ(steps[1].calls[static_cast<std::size_t>(kUnknown)], 3U);
  const std::vector<SingleTurnGap>& gaps = findings.comparisons.at(0).by_due;
  ASSERT_EQ(gaps.size(), 2U);
  EXPECT_EQ(gaps[0].shared_tasks, 2U);
  EXPECT_EQ(gaps[0].gap.figure.value, 0.0);
  EXPECT_EQ(gaps[1].shared_tasks, 3U);
  EXPECT_EQ(gaps[1].gap.figure.value, 1.0);
  EXPECT_EQ(findings.comparisons[0].gap.figure.value,
            single_turn_findings(
                std::vector<ArmFacts>{
                    arm_of("bf16", {{kRight, kRight}, {kRight, kRight, kUnknown}, {kRight}}),
                    arm_of("int4", {{kUnknown, kRight}, {kUnknown, kUnknown, kRight}, {kUnknown}})},
                "bf16", quick(), 0)
                .comparisons.at(0)
                .gap.figure.value);

  for (EpisodeFacts& answer : arms[0].episodes) answer.first_call_due.reset();
  const SingleTurnFindings older = single_turn_findings(arms, "bf16", quick(), 0);
  EXPECT_TRUE(older.arms.at(0).by_due.empty()) << "a log that does not say";
  EXPECT_TRUE(older.comparisons.at(0).by_due.empty());
}

TEST(SingleTurn, LeavesTheLoopsFiguresAsTheyAre) {
  CellInput cell;
  cell.reference = "bf16";
  for (const char* const name : {"bf16", "int4"}) {
    ArmFacts arm = arm_of(name, std::vector<std::vector<FirstCall>>(
                                    12, {kRight, name[0] == 'i' ? kUnknown : kRight}));
    for (EpisodeFacts& episode : arm.episodes) episode.first_call.reset();
    cell.arms.push_back({.facts = std::move(arm)});
  }
  CellInput with = cell;
  with.single_turn = {arm_of("bf16", {{kRight}}), arm_of("int4", {{kUnknown}})};
  const auto plain = audit_study({cell, cell}, quick());
  const auto beside = audit_study({with, with}, quick());
  ASSERT_TRUE(plain && beside);
  EXPECT_TRUE(plain->cells[0].single_turn.arms.empty());
  EXPECT_EQ(beside->cells[0].single_turn.comparisons.size(), 1U);
  const auto& first = plain->cells[1].comparisons.at(0);
  const auto& second = beside->cells[1].comparisons.at(0);
  EXPECT_EQ(first.sentence, second.sentence);
  ASSERT_EQ(first.gap.size(), second.gap.size());
  for (std::size_t i = 0; i < first.gap.size(); ++i) {
    EXPECT_EQ(first.gap[i].gap.figure, second.gap[i].gap.figure);
    EXPECT_EQ(first.gap[i].gap.p_adjusted, second.gap[i].gap.p_adjusted);
  }
  // First calls alone are an audit, too.
  with.arms.clear();
  const auto alone = audit_study({with}, quick());
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->cells[0].single_turn.arms.size(), 2U);
  EXPECT_TRUE(alone->cells[0].arms.empty());
}

}  // namespace
}  // namespace unmask
