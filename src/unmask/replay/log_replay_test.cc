#include "unmask/replay/log_replay.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/replay/episode_replay.h"

namespace unmask::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

CallDifference difference(Cause cause, std::string tool, std::string place) {
  CallDifference result;
  result.cause = cause;
  result.tool = std::move(tool);
  result.place = std::move(place);
  return result;
}

EpisodeReplay episode(std::string task, std::vector<CallDifference> differences = {}) {
  EpisodeReplay result;
  result.task_id = std::move(task);
  result.calls = result.compared = 5;
  result.differences = std::move(differences);
  return result;
}

LogReplay log_of(const std::vector<EpisodeReplay>& episodes) {
  LogReplayBuilder builder;
  for (const EpisodeReplay& each : episodes) builder.add(each);
  return std::move(builder).finish();
}

TEST(LogReplay, AnEmptyLogHasNothing) {
  const LogReplay log = log_of({});
  EXPECT_EQ(log.episodes, 0U);
  EXPECT_EQ(log.data, DataVerdict::unknown);
  EXPECT_THAT(log.groups, IsEmpty());
}

TEST(LogReplay, EqualDifferencesAreOneGroup) {
  const CallDifference read = difference(Cause::other_data, "look", "a");
  const CallDifference write = difference(Cause::unexplained, "change", "");
  const LogReplay log =
      log_of({episode("1"), episode("2", {write, read, read}), episode("3", {read})});
  EXPECT_EQ(log.equal_episodes, 1U);
  EXPECT_EQ(log.compared, 15U);
  EXPECT_EQ(log.differing, 4U);
  EXPECT_EQ(log.causes.at(static_cast<std::size_t>(Cause::other_data)), 3U);
  ASSERT_EQ(log.groups.size(), 2U);
  EXPECT_EQ(log.groups[0].first, read);
  EXPECT_EQ(log.groups[0].calls, 3U);
  EXPECT_EQ(log.groups[0].episodes, 2U);
  EXPECT_EQ(log.groups[0].first_episode.task_id, "2");
  EXPECT_EQ(log.groups[1].first, write);
}

TEST(LogReplay, WhatCouldNotBeReplayedIsCountedByReason) {
  EpisodeReplay lost = episode("1");
  lost.not_replayed = "no such task";
  lost.reward.recorded = 1;
  const LogReplay log = log_of({lost, episode("2")});
  EXPECT_EQ(log.episodes, 2U);
  EXPECT_EQ(log.replayed, 1U);
  EXPECT_EQ(log.calls, 10U);
  EXPECT_EQ(log.compared, 5U);
  EXPECT_EQ(log.rewards_recorded, 0U);
  EXPECT_THAT(log.not_replayed, ElementsAre(Pair("no such task", 1U)));
}

TEST(LogReplay, SaysWhetherTheDataAreOthers) {
  const auto verdict = [](const std::vector<FirstRead>& reads) {
    EpisodeReplay read = episode("1");
    read.first_reads = reads;
    return log_of({read}).data;
  };
  const FirstRead same{"look", "{}", "a", true};
  const FirstRead other{"look", "{\"x\": 1}", "b", false};
  FirstRead changed = other;
  changed.recorded = "c";
  EXPECT_EQ(verdict({}), DataVerdict::unknown);
  EXPECT_EQ(verdict({same}), DataVerdict::same);
  EXPECT_EQ(verdict({same, other}), DataVerdict::other);
  EXPECT_EQ(verdict({same, same, other}), DataVerdict::uncertain);
  EXPECT_EQ(verdict({same, same, same, other, other}), DataVerdict::other);
  EXPECT_EQ(verdict({same, same, same, other, changed}), DataVerdict::uncertain);
}

TEST(LogReplay, RewardsAndPartsAreComparedWhereBothSidesHaveThem) {
  EpisodeReplay equal = episode("1");
  equal.reward.recorded = equal.reward.replayed = 1;
  equal.reward.checks = {{Part::db, "", true, true}, {Part::actions, "look {}", false, false}};
  EpisodeReplay differing = episode("2");
  differing.reward.recorded = 1;
  differing.reward.replayed = 0;
  differing.reward.checks = {{Part::db, "", true, false}, {Part::actions, "look {}", true, true}};
  differing.reward.other_checks = {Part::communicate};
  EpisodeReplay judged = episode("3");
  judged.reward.recorded = 1;
  judged.reward.reason = "a judge is needed";
  EpisodeReplay raising = episode("4");
  raising.reward.replayed = 0;
  raising.reward.raised = "ValueError: Tool call:";
  const LogReplay log = log_of({equal, differing, judged, raising});
  EXPECT_EQ(log.rewards_recorded, 3U);
  EXPECT_EQ(log.rewards_compared, 2U);
  EXPECT_EQ(log.rewards_equal, 1U);
  EXPECT_THAT(log.not_evaluated, ElementsAre(Pair("a judge is needed", 1U)));
  EXPECT_THAT(log.raised, ElementsAre(Pair("ValueError: Tool call:", 1U)));
  EXPECT_EQ(log.parts.at(0), (PartCount{2, 1, 0}));
  EXPECT_EQ(log.parts.at(2), (PartCount{2, 2, 0}));
  EXPECT_EQ(log.parts.at(3), (PartCount{0, 0, 1}));
  ASSERT_EQ(log.reward_differences.size(), 1U);
  EXPECT_EQ(log.reward_differences[0].episode.task_id, "2");
  EXPECT_THAT(log.reward_differences[0].reward.checks,
              ElementsAre(PartCheck{Part::db, "", true, false}));
}

}  // namespace
}  // namespace unmask::replay
