#include "unmask/budget/attribution.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/budget/budget_test_support.h"
#include "unmask/budget/stop_profile.h"
#include "unmask/budget/success_curve.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"

namespace unmask {
namespace {

/// Two tasks, budget 2 enforced: a solved episode with a hallucinated name and a wrong entity, and
/// one that two hallucinated names stopped.
ArmFacts small_arm() {
  ArmFacts arm;
  arm.budget = {.nominal = 2, .enforced = 2, .known = true};
  arm.kinds.intern("");
  arm.tasks = {{.id = "t0", .key = "t0"}, {.id = "t1", .key = "t1"}};
  EpisodeFacts solved = sketch("A a U a");
  solved.calls[0].channel = Channel::tool_name;
  solved.calls[2].channel = Channel::entity;
  EpisodeFacts stopped = out_of_budget("A A");
  stopped.task = 1;
  for (CallFacts& call : stopped.calls) call.channel = Channel::tool_name;
  arm.episodes = {solved, stopped};
  return arm;
}

TEST(AttributeChannels, GivesEachChannelOnceAndLeavesTheUsersErrorsIn) {
  const std::vector<ChannelAttribution> attributions =
      attribute_channels(small_arm(), {.last_budget = 3});
  ASSERT_EQ(attributions.size(), 1U);
  EXPECT_EQ(attributions[0].without, Channel::tool_name);
  EXPECT_EQ(attributions[0].errors, 3U);
}

TEST(PointsLost, IsABandWhereTheBudgetStoppedEpisodes) {
  const ArmFacts arm = small_arm();
  const SuccessCurve curve = success_curve(arm, {.last_budget = 3});
  const auto attributions = attribute_channels(arm, {.last_budget = 3});
  // K = 1: the user's error still fails the solved one; the stopped one may have gone on.
  EXPECT_EQ(points_lost(curve, attributions[0].curve, 1), (Band{0.0, 0.5}));
  EXPECT_EQ(points_lost(curve, attributions[0].curve, 2), (Band{0.5, 1.0}));
  // K = 3, beyond K_obs: the stopped episode is unknown with and without the channel.
  EXPECT_EQ(points_lost(curve, attributions[0].curve, 3), (Band{0.0, 0.0}));
  const ErrorSelector entity{.channel = Channel::entity, .party = std::nullopt};
  const SuccessCurve without_entity = success_curve(arm, {.last_budget = 3, .ignored = entity});
  EXPECT_EQ(points_lost(curve, without_entity, 2), (Band{0.5, 0.5}));
}

TEST(PointsLost, IsEmptyWithoutEpisodes) {
  const SuccessCurve none = success_curve(ArmFacts{});
  EXPECT_FALSE(points_lost(none, none, 1).has_value());
  EXPECT_TRUE(attribute_channels(ArmFacts{}).empty());
}

}  // namespace
}  // namespace unmask
