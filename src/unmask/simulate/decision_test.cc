#include "unmask/simulate/decision.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace unmask::simulate {
namespace {

const std::vector<Temptation> kTempting = {{"toggle_data", 0.0}, {"check_phone", -3.0}};

double share_wrong(const ModelTraits& traits, const LogitNoise& noise, int places = 4000) {
  int wrong = 0;
  for (int i = 0; i < places; ++i) {
    const Place place{.seed = 5, .task = "t", .trial_seed = static_cast<std::uint64_t>(i)};
    const double margin = margin_at(traits, DecisionKind::ask, place);
    wrong +=
        decide(traits, noise, DecisionKind::ask, place, "", kTempting, margin).is_right() ? 0 : 1;
  }
  return wrong / static_cast<double>(places);
}

ModelTraits traits_with(double margin) {
  ModelTraits traits;
  traits.name = "m";
  traits.ask_margin = margin;
  traits.task_share = 0.0;
  return traits;
}

double phi(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

TEST(Decision, WithoutNoiseTheShareOfWrongChoicesIsThatOfNegativeMargins) {
  EXPECT_NEAR(share_wrong(traits_with(1.0), {}), phi(-1.0), 0.02);
  EXPECT_EQ(share_wrong(traits_with(9.0), {}), 0.0);
}

TEST(Decision, NoiseWidensTheMargin) {
  std::vector<Temptation> one = {kTempting.front()};
  int wrong = 0;
  const ModelTraits traits = traits_with(1.0);
  for (int i = 0; i < 4000; ++i) {
    const Place place{.seed = 5, .task = "t", .trial_seed = static_cast<std::uint64_t>(i)};
    const double margin = margin_at(traits, DecisionKind::ask, place);
    wrong +=
        decide(traits, {"int4", 2.0}, DecisionKind::ask, place, "", one, margin).is_right() ? 0 : 1;
  }
  EXPECT_NEAR(wrong / 4000.0, phi(-1.0 / std::sqrt(5.0)), 0.02);
}

TEST(Decision, ThickMarginsFeelNoNoise) {
  EXPECT_EQ(share_wrong(traits_with(20.0), {"int4", 2.0}), 0.0);
}

TEST(Decision, EqualPlacesGiveEqualDraws) {
  const ModelTraits traits = traits_with(0.5);
  const Place place{.seed = 1, .task = "t", .trial_seed = 2, .step = 3};
  Place other = place;
  other.attempt = 1;
  EXPECT_EQ(margin_at(traits, DecisionKind::ask, place),
            margin_at(traits, DecisionKind::ask, place));
  EXPECT_NE(margin_at(traits, DecisionKind::ask, place),
            margin_at(traits, DecisionKind::ask, other));
  EXPECT_NE(margin_at(traits, DecisionKind::ask, place),
            margin_at(traits, DecisionKind::call, place));
}

TEST(Decision, TrialsOfATaskShareTheirPart) {
  ModelTraits traits = traits_with(0.0);
  traits.task_share = 1.0;
  const Place one{.seed = 1, .task = "t", .trial_seed = 2};
  const Place two{.seed = 1, .task = "t", .trial_seed = 3};
  const Place elsewhere{.seed = 1, .task = "u", .trial_seed = 2};
  EXPECT_EQ(margin_at(traits, DecisionKind::ask, one), margin_at(traits, DecisionKind::ask, two));
  EXPECT_NE(margin_at(traits, DecisionKind::ask, one),
            margin_at(traits, DecisionKind::ask, elsewhere));
}

TEST(Decision, NoiseIsTheArmsOwnAndOfOneSizeForEachPairOfNames) {
  const ModelTraits traits = traits_with(0.0);
  double sum = 0.0;
  for (int i = 0; i < 4000; ++i) {
    const Place place{.seed = 5, .task = "t", .trial_seed = static_cast<std::uint64_t>(i)};
    const Decision one = decide(traits, {"a", 2.0}, DecisionKind::ask, place, "", kTempting, 1.0);
    const Decision two = decide(traits, {"b", 2.0}, DecisionKind::ask, place, "", kTempting, 1.0);
    EXPECT_NE(one.options[0].logit, two.options[0].logit);
    const double noise = one.options[0].logit - one.options[1].logit - 1.0;
    sum += noise * noise;
  }
  EXPECT_NEAR(std::sqrt(sum / 4000), 2.0, 0.1);
}

TEST(Decision, TemperatureSamplesTheSoftmax) {
  ModelTraits traits = traits_with(0.0);
  traits.temperature = 1.0;
  int right = 0;
  double expected = 0.0;
  for (int i = 0; i < 4000; ++i) {
    const Place place{.seed = 5, .task = "t", .trial_seed = static_cast<std::uint64_t>(i)};
    const Decision decision = decide(traits, {}, DecisionKind::ask, place, "", kTempting, 1.0);
    right += decision.is_right() ? 1 : 0;
    expected = std::exp(log_probabilities(decision.options)[0]);
  }
  EXPECT_NEAR(right / 4000.0, expected, 0.02);
}

TEST(Decision, NothingTemptingIsRight) {
  EXPECT_TRUE(
      decide(traits_with(-5), {"x", 3.0}, DecisionKind::call, {}, "tool", {}, -5).is_right());
}

TEST(Decision, LogProbabilitiesSumToOne) {
  double sum = 0.0;
  for (const double log : log_probabilities({{"a", 700.0}, {"b", 699.0}, {"c", -700.0}}))
    sum += std::exp(log);
  EXPECT_NEAR(sum, 1.0, 1e-12);
}

TEST(Decision, RecoveryComesAsOftenAsItShould) {
  ModelTraits traits = traits_with(0.0);
  traits.recovery = 0.3;
  traits.diagnosed_recovery = 0.9;
  int plain = 0;
  int diagnosed = 0;
  for (int i = 0; i < 4000; ++i) {
    const Place place{.seed = 5, .task = "t", .trial_seed = static_cast<std::uint64_t>(i)};
    plain += recovers(traits, place, false) ? 1 : 0;
    diagnosed += recovers(traits, place, true) ? 1 : 0;
  }
  EXPECT_NEAR(plain / 4000.0, 0.3, 0.03);
  EXPECT_NEAR(diagnosed / 4000.0, 0.9, 0.03);
}

}  // namespace
}  // namespace unmask::simulate
