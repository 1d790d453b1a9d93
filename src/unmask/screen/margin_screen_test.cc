#include "unmask/screen/margin_screen.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/screen/noise_table.h"
#include "unmask/stats/special.h"

namespace unmask::screen {
namespace {

using testing::HasSubstr;

ScoredDecision decision(const std::string& task, double good, double bad,
                        DecisionKind kind = DecisionKind::tool_name) {
  ScoredDecision each;
  each.task_id = task;
  each.kind = kind;
  each.options = {{.text = "look_up", .admissible = true}, {.text = "lookup", .admissible = false}};
  each.arms = {{.log_probability = {good, bad}}};
  return each;
}

ScoredDecisions scored(std::vector<ScoredDecision> decisions) {
  return {.arms = {{.name = "bf16"}}, .decisions = std::move(decisions)};
}

TEST(MarginScreen, NothingScoredHasReasons) {
  const std::vector<MarginNoise> noises = {{.label = "int4", .sigma = 1.0}};
  const std::vector<MarginScreen> screens = screen_margins(scored({}), noises);
  ASSERT_EQ(screens.size(), 1U);
  ASSERT_EQ(screens[0].kinds.size(), 1U);
  EXPECT_FALSE(screens[0].kinds[0].greedy.now.value.has_value());
  EXPECT_THAT(screens[0].kinds[0].greedy.now.reason, HasSubstr("no decision"));
  EXPECT_TRUE(screen_margins(scored({}), {}).empty());
}

TEST(MarginScreen, FlipsAreThoseOfTheNormalDistribution) {
  const std::vector<MarginNoise> noises = {{.label = "int4", .sigma = 0.5},
                                           {.label = "int2", .sigma = 2.0, .bias = -0.25}};
  const ScoredDecisions decisions =
      scored({decision("a", -0.1, -1.1), decision("a", -2.0, -1.0), decision("b", -0.5, -3.5),
              decision("b", -0.2, -0.9, DecisionKind::enum_argument)});
  const std::vector<MarginScreen> screens = screen_margins(decisions, noises);
  ASSERT_EQ(screens.size(), 2U);
  ASSERT_EQ(screens[0].kinds.size(), 3U);
  EXPECT_EQ(screens[0].kinds[1].kind, "tool_name");
  EXPECT_EQ(screens[0].kinds[2].kind, "enum_argument");
  const MarginKindScreen& names = screens[0].kinds[1];
  EXPECT_EQ(names.decisions, 3U);
  EXPECT_EQ(names.tasks, 2U);
  EXPECT_NEAR(*names.greedy.now.value, 1.0 / 3.0, 1e-15);
  const double flips = stats::normal_cdf(-2.0) + stats::normal_cdf(2.0) + stats::normal_cdf(-6.0);
  EXPECT_NEAR(*names.greedy.predicted.value, flips / 3.0, 1e-12);
  EXPECT_NEAR(*names.greedy.amplification.value, flips, 1e-12);
  const double biased =
      stats::normal_cdf(-0.375) + stats::normal_cdf(0.625) + stats::normal_cdf(-1.375);
  EXPECT_NEAR(*screens[1].kinds[1].greedy.predicted.value, biased / 3.0, 1e-12);
}

TEST(MarginScreen, ScoresThatAreMissingOrBoundsAreLeftOut) {
  ScoredDecision missing = decision("a", -0.1, -1.1);
  missing.arms[0].log_probability.clear();
  ScoredDecision only_good = decision("a", -0.1, -1.1);
  only_good.options[1].admissible = true;
  ScoredDecision bound = decision("b", -0.1, -1.1);
  bound.arms[0].at_most = {true, false};
  const std::vector<MarginNoise> noises = {{.label = "int4", .sigma = 1.0}};
  const std::vector<MarginScreen> screens =
      screen_margins(scored({missing, only_good, bound, decision("b", -0.1, -1.1)}), noises);
  EXPECT_EQ(screens[0].kinds[0].decisions, 1U);
  EXPECT_EQ(screens[0].kinds[0].left_out, 3U);
}

TEST(MarginScreen, NoWrongChoiceNowGivesNoRatio) {
  const std::vector<MarginNoise> noises = {{.label = "int4", .sigma = 1.0}};
  const std::vector<MarginScreen> screens =
      screen_margins(scored({decision("a", -0.1, -2.1), decision("b", -0.1, -3.1)}), noises);
  const MarginKindScreen& all = screens[0].kinds[0];
  EXPECT_EQ(*all.greedy.now.value, 0.0);
  EXPECT_GT(*all.greedy.predicted.value, 0.0);
  EXPECT_FALSE(all.greedy.amplification.value.has_value());
  // Sampling gives inadmissible options some mass always.
  EXPECT_GT(*all.sampled.amplification.value, 1.0);
}

TEST(MarginScreen, MassUnderNoiseIsTheLogisticNormalMean) {
  // Symmetric: half at even odds whatever the noise.
  EXPECT_NEAR(mass_under_noise(0.0, 3.0, 0.0), 0.5, 1e-13);
  // No noise to speak of: the mass itself.
  EXPECT_NEAR(mass_under_noise(2.0, 1e-6, 0.0), 1.0 / (1.0 + std::exp(2.0)), 1e-10);
  // Python: sum(exp(-z*z/2)/(1+exp(2+1.5*z)) for z in -12 .. 12 by 24/400000) * h / sqrt(2 pi)
  EXPECT_NEAR(mass_under_noise(2.0, 1.5, 0.0), 0.1900534968086052, 1e-10);
  // ... exp(4.5+40*z)
  EXPECT_NEAR(mass_under_noise(5.0, 40.0, -0.5), 0.4552592369858575, 1e-10);
  EXPECT_EQ(mass_under_noise(std::numeric_limits<double>::infinity(), 1.0, 0.0), 0.0);
  EXPECT_EQ(mass_under_noise(-std::numeric_limits<double>::infinity(), 1.0, 0.0), 1.0);
  EXPECT_LT(mass_under_noise(1000.0, 1.0, 0.0), 1e-300);
}

TEST(NoiseTable, EmptyIsATable) {
  ASSERT_TRUE(parse_noise_table("# nothing yet\n", "t.toml").has_value());
  EXPECT_TRUE(parse_noise_table("", "t.toml")->empty());
}

TEST(NoiseTable, Reads) {
  const auto table = parse_noise_table(
      "[[noise]]\nmethod = 'q8_0'\nsigma = 0.125\nmeasured_in = 'here'\n"
      "[[noise]]\nmethod = 'q4_0'\nsigma = 1\nbias = -0.5\nmeasured_in = 'there'\n",
      "t.toml");
  ASSERT_TRUE(table.has_value()) << table.error().message;
  EXPECT_EQ(*table, (std::vector<MarginNoise>{
                        {.label = "q8_0", .sigma = 0.125, .bias = 0.0, .measured_in = "here"},
                        {.label = "q4_0", .sigma = 1.0, .bias = -0.5, .measured_in = "there"}}));
}

TEST(NoiseTable, RefusesWithPlaceAndRemedy) {
  struct Case {
    const char* text;
    const char* says;
  };
  for (const Case& each :
       {Case{"[[noise]]\nmethod = 'x'\nsigma = 0\nmeasured_in = 'y'", "above 0"},
        Case{"[[noise]]\nmethod = 'x'\nsigma = nan\nmeasured_in = 'y'", "line 3"},
        Case{"[[noise]]\nmethod = 'x'\nsigma = 1", "`measured_in` is missing"},
        Case{"[[noise]]\nsigma = 1\nmeasured_in = 'y'", "`method` is missing"},
        Case{"[[noise]]\nmethod = 'x'\nmeasured_in = 'y'", "`sigma` is missing"},
        Case{"[[noise]]\nsd = 1", "`sd` is not known"}, Case{"[noise]\nsigma = 1", "[[noise]]"},
        Case{"noise = [1]", "must be a table"}, Case{"[[noise", "not TOML"}}) {
    const auto table = parse_noise_table(each.text, "t.toml");
    ASSERT_FALSE(table.has_value()) << each.text;
    EXPECT_THAT(table.error().message, HasSubstr("t.toml"));
    EXPECT_THAT(table.error().message, HasSubstr(each.says));
  }
}

TEST(NoiseTable, TheEmbeddedOneCanBeRead) {
  for (const MarginNoise& noise : measured_noise()) {
    EXPECT_GT(noise.sigma, 0.0);
    EXPECT_FALSE(noise.measured_in.empty());
  }
  EXPECT_EQ(&measured_noise(), &measured_noise());
}

}  // namespace
}  // namespace unmask::screen
