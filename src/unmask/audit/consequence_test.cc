#include "unmask/audit/consequence.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/audit/findings.h"
#include "unmask/audit/score_comparison.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"

namespace unmask {
namespace {

using Status = ReexecutionFacts::Status;

ReexecutionFacts writes(std::optional<std::uint32_t> first = {}, std::uint32_t count = 1) {
  return {.status = Status::done,
          .differing = 0,
          .golden_actions_known = true,
          .stray_writes = first ? count : 0,
          .first_stray_write = first};
}

EpisodeFacts episode_of(std::uint32_t task, int trial, bool success,
                        std::optional<ReexecutionFacts> again) {
  EpisodeFacts episode;
  episode.task = task;
  episode.trial = trial;
  episode.success = success;
  episode.reward = success ? 1.0 : 0.0;
  episode.termination = Termination::user_stop;
  for (std::uint32_t i = 0; i < 4; ++i) episode.calls.push_back({.message = 2 * i + 1});
  episode.reexecution = again;
  return episode;
}

ArmFacts arm_of(std::string name, std::vector<EpisodeFacts> episodes) {
  ArmFacts arm;
  arm.name = std::move(name);
  arm.budget = {.nominal = 10, .enforced = 10, .known = true};
  arm.kinds.intern("");
  arm.tasks = {{"a", "a"}, {"b", "b"}, {"c", "c"}};
  arm.episodes = std::move(episodes);
  return arm;
}

ArmFacts reference() {
  return arm_of("bf16", {episode_of(0, 0, true, writes()), episode_of(0, 1, true, writes(2, 3)),
                         episode_of(1, 0, true, writes()), episode_of(2, 0, false, writes(0))});
}

ArmFacts compared() {
  return arm_of("int4", {episode_of(0, 0, true, writes(1)), episode_of(0, 1, true, writes(3)),
                         episode_of(1, 0, true, writes()), episode_of(2, 0, false, writes())});
}

TEST(Consequence, AnEpisodeWithAStrayWriteFails) {
  const ConsequenceFindings findings = consequence_findings(reference(), {});
  EXPECT_EQ(findings.reason, "");
  EXPECT_EQ(findings.k, 10);
  EXPECT_EQ(findings.episodes, 4U);
  EXPECT_EQ(findings.episodes_with, 2U);
  EXPECT_EQ(findings.solved_with, 1U);
  EXPECT_EQ(findings.writes, 4U);
  EXPECT_DOUBLE_EQ(findings.share.value.value(), 0.5);                  // 2 of 4
  EXPECT_DOUBLE_EQ(findings.first_call.value.value(), 2.0);             // calls 3 and 1
  EXPECT_DOUBLE_EQ(findings.first_message.value.value(), 3.0);          // messages 5 and 1
  EXPECT_DOUBLE_EQ(findings.score.value.value(), 2.0 / 3.0);            // (1 + 1 + 0) / 3
  EXPECT_DOUBLE_EQ(findings.score_consequence.value.value(), 1.0 / 2);  // (1/2 + 1 + 0) / 3
}

TEST(Consequence, TheGapIsPairedByTask) {
  const ArmFacts ref = reference();
  const ArmFacts arm = compared();
  const ConsequenceGap gap = compare_consequences(pair_arms(ref, arm, {}, 0), {});
  EXPECT_EQ(gap.reason, "");
  EXPECT_EQ(gap.shared_tasks, 3U);
  EXPECT_DOUBLE_EQ(gap.gap.figure.value.value(), 0.0);
  // d = 1/2, 0, 0: SE 1/6, and t of 2 degrees of freedom is 4.302653.
  EXPECT_DOUBLE_EQ(gap.gap_consequence.figure.value.value(), 1.0 / 6.0);
  EXPECT_NEAR(gap.gap_consequence.figure.low.value(), -0.550442, 1e-6);
  EXPECT_NEAR(gap.gap_consequence.figure.high.value(), 0.883775, 1e-6);
  EXPECT_DOUBLE_EQ(gap.gap_consequence.p.value(), 1.0);  // one task differs: all signs are as far
  EXPECT_FALSE(gap.gap_consequence.p_adjusted.has_value());
}

TEST(Consequence, EpisodesWhoseWritesAreNotKnownAreLeftOut) {
  ReexecutionFacts no_golden = writes();
  no_golden.golden_actions_known = false;
  EpisodeFacts vanished = episode_of(2, 3, false, writes(0));
  vanished.excluded = Exclusion::infrastructure;
  const ArmFacts arm =
      arm_of("bf16", {episode_of(0, 0, true, writes(1)), episode_of(0, 1, true, std::nullopt),
                      episode_of(1, 0, true, no_golden),
                      episode_of(1, 1, true, ReexecutionFacts{.status = Status::no_world}),
                      episode_of(2, 0, true, ReexecutionFacts{.status = Status::not_possible}),
                      episode_of(2, 1, true, writes()), vanished});
  const ConsequenceFindings findings = consequence_findings(arm, {});
  EXPECT_EQ(findings.episodes, 2U);
  EXPECT_EQ(findings.no_world, 1U);
  EXPECT_EQ(findings.not_possible, 1U);
  EXPECT_EQ(findings.no_golden_actions, 1U);
  EXPECT_DOUBLE_EQ(findings.score.value.value(), 1.0);  // of tasks a and c
  EXPECT_DOUBLE_EQ(findings.score_consequence.value.value(), 0.5);
}

TEST(Consequence, WhatCannotBeHadHasAReason) {
  ReexecutionFacts no_golden = writes();
  no_golden.golden_actions_known = false;
  const struct {
    std::optional<ReexecutionFacts> again;
    std::string reason;
  } cases[] = {
      {std::nullopt, "the calls were not executed again; --replay does that"},
      {ReexecutionFacts{}, "there is no world in which to execute the calls again"},
      {ReexecutionFacts{.status = Status::not_possible}, "no episode could be executed again"},
      {no_golden, "the tasks name no golden actions"},
  };
  for (const auto& example : cases) {
    const ArmFacts arm = arm_of("bf16", {episode_of(0, 0, true, example.again)});
    const ConsequenceFindings findings = consequence_findings(arm, {});
    EXPECT_EQ(findings.reason, example.reason);
    EXPECT_EQ(findings.score_consequence.reason, example.reason);
    EXPECT_FALSE(findings.score.value.has_value());
    const ConsequenceGap gap = compare_consequences(pair_arms(arm, arm, {}, 0), {});
    EXPECT_NE(gap.reason, "");
    EXPECT_FALSE(gap.gap_consequence.figure.value.has_value());
  }
  EXPECT_NE(consequence_findings(arm_of("bf16", {}), {}).reason, "");
  const ArmFacts clean = arm_of("bf16", {episode_of(0, 0, true, writes())});
  EXPECT_EQ(consequence_findings(clean, {}).first_call.reason, "no episode has such a write");
}

TEST(Consequence, EvidenceCountsTheAgentsFailedCalls) {
  ArmFacts arm = reference();
  const auto fail_by = [](CallFacts& call, EvidenceKind evidence, Party party = Party::agent) {
    call.failed = true;
    call.evidence = evidence;
    call.party = party;
  };
  fail_by(arm.episodes[0].calls[0], EvidenceKind::structure);
  fail_by(arm.episodes[0].calls[1], EvidenceKind::reexecution);
  fail_by(arm.episodes[0].calls[2], EvidenceKind::reexecution);
  fail_by(arm.episodes[0].calls[3], EvidenceKind::reexecution, Party::user);
  fail_by(arm.episodes[1].calls[0], EvidenceKind::error_text);
  fail_by(arm.episodes[1].calls[1], EvidenceKind::none);
  fail_by(arm.episodes[1].calls[2], EvidenceKind::stated);
  arm.episodes[1].reexecution->differing = 2;
  const EvidenceFindings findings = evidence_findings(arm);
  EXPECT_EQ(findings.structure, 1U);
  EXPECT_EQ(findings.reexecution, 2U);
  EXPECT_EQ(findings.error_text, 1U);
  EXPECT_EQ(findings.none, 1U);
  EXPECT_EQ(findings.stated, 1U);
  EXPECT_EQ(findings.differing, 2U);
  EXPECT_TRUE(findings.asked_world);
  for (EpisodeFacts& episode : arm.episodes) episode.reexecution.reset();
  EXPECT_FALSE(evidence_findings(arm).asked_world);
}

}  // namespace
}  // namespace unmask
