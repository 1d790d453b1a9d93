#include "unmask/screen/arm_screen.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/screen/run_model.h"
#include "unmask/screen/screen_fixtures.h"
#include "unmask/screen/settings.h"
#include "unmask/screen/task_errors.h"

namespace unmask::screen {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

const Propensity& propensity(const ArmScreen& screen, const std::string& channel) {
  for (const Propensity& each : screen.propensity)
    if (each.channel == channel) return each;
  ADD_FAILURE() << "no " << channel;
  return screen.propensity.front();
}

TEST(ArmScreen, AnEmptyArmIsUnknown) {
  const ArmScreen screen = screen_arm(ArmFacts{});
  EXPECT_EQ(screen.risk, RiskClass::unknown);
  EXPECT_FALSE(screen.reason.empty());
  ASSERT_EQ(screen.reasons.size(), 1U);
  EXPECT_THAT(screen.reasons.front(), HasSubstr("no propensity"));
  EXPECT_TRUE(screen.what_if.empty());
}

TEST(ArmScreen, OneTaskHasNoInterval) {
  const ArmScreen screen = screen_arm(fixtures::arm_of({{.task = 0, .calls = "..n.."}}));
  EXPECT_EQ(screen.risk, RiskClass::unknown);
  EXPECT_EQ(screen.tasks, 1U);
  EXPECT_FALSE(screen.what_if.front().points.front().lost.high.has_value());
}

TEST(ArmScreen, WithoutASolvedEpisodeThereIsNothingToLose) {
  const ArmScreen screen =
      screen_arm(fixtures::arm_of({{.task = 0, .success = false, .calls = "n."},
                                   {.task = 1, .success = false, .calls = ".."}}));
  EXPECT_EQ(screen.risk, RiskClass::unknown);
  EXPECT_THAT(screen.reason, HasSubstr("no solved episode"));
  EXPECT_THAT(screen.reasons, Contains(screen.reason));
}

TEST(ArmScreen, ACleanArmIsLow) {
  const ArmScreen screen =
      screen_arm(fixtures::repeated(400, std::string(20, '.'), std::string(12, '.')));
  EXPECT_EQ(screen.risk, RiskClass::low) << testing::PrintToString(screen.reasons);
  EXPECT_TRUE(propensity(screen, "tool_name").near_zero);
  EXPECT_EQ(*screen.at_factor(2.0)->at(2)->lost.value, 0.0);
  EXPECT_THAT(screen.at_factor(2.0)->at(2)->lost.reason, HasSubstr("nothing to multiply"));
}

TEST(ArmScreen, ZeroErrorsInFewCallsAreNotShownToBeNearZero) {
  const ArmScreen screen = screen_arm(fixtures::repeated(10, "....", "..."));
  EXPECT_EQ(propensity(screen, "entity").errors, 0U);
  // R: 1 - 0.05^(1/10)
  EXPECT_NEAR(*propensity(screen, "entity").upper, 0.2588655508, 1e-9);
  EXPECT_FALSE(propensity(screen, "entity").near_zero);
  EXPECT_EQ(screen.risk, RiskClass::guarded);
}

TEST(ArmScreen, AnotherChannelTellsHowFarZeroErrorsReach) {
  // Tool-name errors spread evenly over 60 tasks: design effect 1, so all 420 calls count.
  const ArmScreen screen = screen_arm(fixtures::repeated(60, "n...", "..."));
  // R: 1 - 0.05^(1/420)
  EXPECT_NEAR(*propensity(screen, "entity").upper, 0.0071073, 1e-6);
  EXPECT_TRUE(propensity(screen, "entity").near_zero);
  EXPECT_FALSE(propensity(screen, "tool_name").near_zero);
}

TEST(ArmScreen, AProneArmIsHigh) {
  std::vector<fixtures::Row> rows;
  for (int i = 0; i < 60; ++i) {
    rows.push_back({.task = i, .success = true, .calls = i % 3 == 0 ? "nn.." : "n..."});
    rows.push_back({.task = i, .success = i % 4 != 0, .calls = i % 5 == 0 ? "......" : ".e..n."});
  }
  const ArmScreen screen = screen_arm(fixtures::arm_of(rows));
  EXPECT_EQ(screen.risk, RiskClass::high);
  EXPECT_THAT(screen.budgets, ElementsAre(2, 5, 10));
  EXPECT_TRUE(screen.censored);
  EXPECT_THAT(screen.reasons, Contains(HasSubstr("tool_name errors are")));
  EXPECT_THAT(screen.reasons, Contains(HasSubstr("at K=2")));
  // The curve of all factors and budgets; the simple form stays below at K = 1, where it takes
  // nothing from episodes without an error.
  for (const WhatIf& curve : screen.what_if) {
    ASSERT_EQ(curve.points.size(), 10U);
    EXPECT_LE(*curve.at(1)->lost_simple, *curve.at(1)->lost.value);
    for (const LostPoint& point : curve.points) {
      EXPECT_GE(*point.lost.value, 0.0);
      EXPECT_LE(*point.lost.low, *point.lost.value);
      EXPECT_GE(*point.lost.low, 0.0);
    }
  }
  // The parts of the errors: the agent's are all of them here.
  EXPECT_DOUBLE_EQ(screen.source("agent")->share, 1.0);
  EXPECT_EQ(screen.source("agent")->what_if.at(1).at(2)->lost, screen.at_factor(2.0)->at(2)->lost);
  const SourceWhatIf* entity = screen.source("entity");
  ASSERT_NE(entity, nullptr);
  EXPECT_LT(*entity->what_if.at(1).at(2)->lost.value, *screen.at_factor(2.0)->at(2)->lost.value);
  EXPECT_EQ(screen.source("malformed"), nullptr);
}

TEST(ArmScreen, TheUsersErrorsAreNoRiskOfTheAgents) {
  const ArmScreen screen =
      screen_arm(fixtures::repeated(400, "A" + std::string(30, '.') + "A", std::string(30, '.')));
  // Doubled, all counted errors cost much; the agent has none to double.
  EXPECT_GT(*screen.at_factor(2.0)->at(5)->lost.value, 0.02);
  EXPECT_EQ(*screen.source("agent")->what_if.front().at(2)->lost.value, 0.0);
  EXPECT_EQ(screen.risk, RiskClass::low) << testing::PrintToString(screen.reasons);
  EXPECT_THAT(screen.reasons, Contains(HasSubstr("are not the agent's")));
}

TEST(ArmScreen, AnUncensoredLogIsShownToTen) {
  const ArmScreen screen = screen_arm(fixtures::repeated(10, "n..", "..", 0));
  EXPECT_FALSE(screen.censored);
  EXPECT_EQ(screen.k_obs, 10);
  EXPECT_THAT(screen.reasons, Contains(HasSubstr("stands for no budget")));
}

TEST(ArmScreen, SmallBudgetsReplaceTheHeadlines) {
  EXPECT_THAT(screen_arm(fixtures::repeated(10, "n..", "..", 2)).budgets, ElementsAre(2));
  EXPECT_THAT(headline_budgets({.budgets = {5, 2, 5, 30}}, 10), ElementsAre(2, 5, 10));
}

TEST(ArmScreen, SettingsMoveTheClass) {
  const ArmFacts arm = fixtures::repeated(60, "n...", ".e..");
  ScreenSettings settings;
  EXPECT_EQ(screen_arm(arm, settings).risk, RiskClass::high);
  settings.serious_loss = 0.9;
  EXPECT_EQ(screen_arm(arm, settings).risk, RiskClass::guarded);
  settings.near_zero_rate = 0.9;
  EXPECT_EQ(screen_arm(arm, settings).risk, RiskClass::low);
}

TEST(ArmScreen, JudgesAFactorThatIsNotAskedFor) {
  const ArmScreen screen =
      screen_arm(fixtures::repeated(20, "n...", ".e.."), {.factors = {4.0}, .judged_factor = 1.25});
  ASSERT_EQ(screen.what_if.size(), 2U);
  EXPECT_NE(screen.at_factor(1.25), nullptr);
  EXPECT_NE(screen.at_factor(4.0), nullptr);
}

TEST(ArmScreen, ExcludedEpisodesAreNoObservation) {
  ArmFacts arm = fixtures::repeated(10, "n..", "..");
  arm.episodes.front().excluded = Exclusion::infrastructure;
  EXPECT_EQ(screen_arm(arm).episodes, 19U);
  EXPECT_EQ(propensity(screen_arm(arm), "tool_name").errors, 9U);
}

TEST(RiskClass, HasNames) {
  for (const RiskClass risk :
       {RiskClass::low, RiskClass::guarded, RiskClass::high, RiskClass::unknown})
    EXPECT_EQ(risk_class_from_name(name_of(risk)), risk);
  EXPECT_FALSE(risk_class_from_name("severe").has_value());
}

TEST(TaskErrors, RunsAreWithinAParty) {
  // The agent fails, the user fails, the agent fails again: a run of two of the agent's, one of the
  // user's; then the agent succeeds.
  const std::vector<TaskErrors> tasks =
      task_errors(fixtures::arm_of({{.task = 0, .success = true, .calls = "nAn."}}), 10);
  ASSERT_EQ(tasks.size(), 1U);
  EXPECT_EQ(tasks[0].runs, (RunSums{.episodes = 1, .runs = 2, .runs_squared = 4}));
  EXPECT_EQ(tasks[0].followed, 2);
  EXPECT_EQ(tasks[0].recovered, 1);
  EXPECT_EQ(tasks[0].solved_errors[kCountedSource], 3);
  EXPECT_EQ(tasks[0].solved_errors[kAgentSource], 2);
}

}  // namespace
}  // namespace unmask::screen
