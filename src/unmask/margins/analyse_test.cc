#include "unmask/margins/analyse.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/episode/scored_decision.h"
#include "unmask/margins/findings.h"
#include "unmask/margins/margin.h"
#include "unmask/margins/noise.h"
#include "unmask/stats/special.h"

namespace unmask::margins {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// An offered name against an invented one, with these margins in the reference and one arm.
ScoredDecision decision(std::string task, double reference, double arm,
                        std::string provenance = "novel") {
  ScoredDecision made{.task_id = std::move(task)};
  made.options = {{.text = "offered", .admissible = true, .golden = true},
                  {.text = "invented", .provenance = std::move(provenance)}};
  made.arms = {{.log_probability = {reference, 0.0}}, {.log_probability = {arm, 0.0}}};
  return made;
}

ScoredDecisions two_arms(std::vector<ScoredDecision> decisions) {
  ScoredDecisions scored;
  scored.arms = {{.name = "bf16", .model = "a.gguf", .precision = "F16", .bits_per_weight = 16.0},
                 {.name = "int4", .model = "b.gguf", .precision = "Q4_0", .bits_per_weight = 4.5}};
  scored.decisions = std::move(decisions);
  return scored;
}

// Ten tasks of three decisions: errors of -1, 0 and 1 about margins of 0.5, 1 and -1.
ScoredDecisions small_study() {
  std::vector<ScoredDecision> decisions;
  for (int task = 0; task < 10; ++task) {
    const double noise = task % 2 == 0 ? 1.0 : -1.0;
    const std::string id = "t" + std::to_string(task);
    decisions.push_back(decision(id, 0.5, 0.5 + noise));
    decisions.push_back(decision(id, 1.0, 1.0 - noise, "near_miss"));
    decisions.push_back(decision(id, -1.0, -1.0));
  }
  return two_arms(std::move(decisions));
}

TEST(Analyse, OfNothingSaysSo) {
  EXPECT_EQ(analyse({}).reason, "no arm beside the reference");
  EXPECT_EQ(analyse(two_arms({})).reason, "no decision");
}

TEST(Analyse, CountsFlipsAndNoise) {
  const MarginFindings findings = analyse(small_study());
  EXPECT_EQ(findings.tasks, 10U);
  EXPECT_EQ(findings.episodes, 10U);
  const MarginGroup* group = findings.comparisons.at(0).group(GroupBy::kind, "tool_name");
  ASSERT_NE(group, nullptr);
  // Errors: ten each of +-1 by halves, and ten zeros: SD = root of 20/29, all inside of w = 1.66.
  EXPECT_NEAR(*group->noise.window, 2.0 * std::sqrt(20.0 / 29.0), 1e-12);
  EXPECT_EQ(group->noise.inside, 30U);
  EXPECT_NEAR(*group->noise.bias.value, 0.0, 1e-12);
  EXPECT_NEAR(*group->noise.sigma.value, std::sqrt(20.0 / 29.0), 1e-12);
  // 0.5 - 1 is bad in five tasks, and so is 1 - 1 = 0 in the five others.
  EXPECT_EQ(group->matrix, (FlipMatrix{.good_good = 10, .good_bad = 10, .bad_bad = 10}));
  EXPECT_EQ(group->good.decisions, 20U);
  EXPECT_EQ(group->good.flipped, 10U);
  EXPECT_EQ(group->good.observed.value, 0.5);
  EXPECT_EQ(group->bad.observed.value, 0.0);
  EXPECT_EQ(group->thin_share.value, 1.0);
  EXPECT_EQ(group->top.reference, 10U);
  EXPECT_EQ(group->top.arm, 20U);
  EXPECT_NEAR(*group->top.amplification.value, 2.0, 1e-12);
  ASSERT_EQ(group->calibration.bins.size(), 10U);
  EXPECT_EQ(group->calibration.bins.front().mean, -1.0);
}

TEST(Analyse, PredictsEachFoldFromTheOthers) {
  // One decision a task, two folds: the even tasks' errors predict the odd ones and the reverse.
  std::vector<ScoredDecision> decisions;
  const std::vector<double> errors = {-1.0, 1.0, -3.0, 2.0};
  decisions.reserve(errors.size());
  for (std::size_t task = 0; task < errors.size(); ++task)
    decisions.push_back(decision(std::to_string(task), 0.5, 0.5 + errors[task]));
  const MarginFindings findings = analyse(two_arms(std::move(decisions)), {.folds = 2});
  const MarginGroup& group = findings.comparisons.at(0).groups.at(0);
  // Even tasks see b = 1.5, s = root(1/2); odd ones b = -2, s = root 2.
  const double even = stats::normal_cdf(-2.0 / std::sqrt(0.5));
  const double odd = stats::normal_cdf(1.5 / std::numbers::sqrt2);
  EXPECT_NEAR(*group.good.normal.value, (even + odd) / 2.0, 1e-12);
  EXPECT_EQ(group.good.empirical.value, 0.5);  // none of {1, 2}, all of {-1, -3}
}

TEST(Analyse, SaysWhatWasLeftOut) {
  std::vector<ScoredDecision> decisions = small_study().decisions;
  decisions.push_back(decision("t0", 1.0, kNever));
  decisions.push_back(decision("t0", 1.0, 1.0));
  decisions.back().arms[0] = {.fault = "context_overflow"};
  decisions.push_back(decision("t0", 1.0, 1.0));
  decisions.back().arms[1].at_most = {false, true};
  decisions.push_back(decision("t0", 1.0, 1.0));
  decisions.back().options[1].admissible = true;
  const MarginFindings findings = analyse(two_arms(std::move(decisions)));
  const MarginGroup* group = findings.comparisons.at(0).group(GroupBy::kind, "tool_name");
  EXPECT_EQ(group->decisions, 34U);
  EXPECT_EQ(group->points.size(), 30U);
  EXPECT_EQ(
      group->left_out,
      (std::vector<LeftOut>{
          {"not_finite", 0, 1}, {"context_overflow", 1, 0}, {"bound", 0, 1}, {"one_sided", 1, 0}}));
}

TEST(Analyse, GroupsByKindSideAndProvenance) {
  ScoredDecisions scored = small_study();
  scored.decisions.push_back(decision("t0", 1.0, 2.0, ""));
  scored.decisions.back().kind = DecisionKind::entity_argument;
  scored.decisions.back().options[0].golden = false;
  const MarginFindings findings = analyse(scored);
  std::vector<std::string> names;
  for (const MarginGroup& group : findings.comparisons.at(0).groups) {
    names.push_back(group.name + (group.side == MarginSide::golden ? " golden" : "") +
                    (group.by == GroupBy::provenance ? " provenance" : ""));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"tool_name", "tool_name golden", "entity_argument",
                                             "novel provenance", "near_miss provenance"}));
  const MarginGroup* near = findings.comparisons[0].group(GroupBy::provenance, "near_miss");
  EXPECT_EQ(near->points.size(), 10U);
  const MarginGroup* golden =
      findings.comparisons[0].group(GroupBy::kind, "tool_name", MarginSide::golden);
  EXPECT_TRUE(golden->mass.empty());
  EXPECT_EQ(golden->top.decisions, 0U);
}

TEST(Analyse, FiguresThatCantBeHadHaveReasons) {
  const MarginFindings findings = analyse(two_arms({decision("t0", 1.0, 0.5)}));
  const MarginGroup& group = findings.comparisons.at(0).groups.at(0);
  EXPECT_EQ(group.noise.bias.reason, "fewer than two decisions");
  EXPECT_EQ(group.thin_share.reason, "fewer than two decisions");
  EXPECT_EQ(group.good.normal.reason, "fewer than two decisions");
  EXPECT_EQ(group.bad.observed.reason, "no decision of the reference is bad");
  EXPECT_EQ(group.calibration.reason, "fewer than 20 decisions");
  EXPECT_EQ(group.side_test.auc_thinness.reason, "no decision has margins and divergence");
  EXPECT_FALSE(group.top.logged.reason.empty());
}

TEST(Analyse, KnowsTheReferenceItself) {
  ScoredDecisions scored = small_study();
  scored.arms[1] = scored.arms[0];
  scored.arms[1].name = "again";
  for (ScoredDecision& each : scored.decisions) each.arms[1] = each.arms[0];
  const MarginFindings findings = analyse(scored);
  EXPECT_TRUE(findings.comparisons.at(0).control);
  const MarginGroup& group = findings.comparisons[0].groups.at(0);
  EXPECT_EQ(group.good.flipped, 0U);
  EXPECT_EQ(group.noise.sigma.reason, "no noise: the margins differ by the same at every decision");
  EXPECT_FALSE(analyse(small_study()).comparisons.at(0).control);
}

TEST(Analyse, MassNeedsEachTemperatureInBothArms) {
  ScoredDecisions scored = small_study();
  for (ScoredDecision& each : scored.decisions) {
    each.arms[0].tempered = {{.temperature = 0.5, .log_probability = {0.0, 0.0}}};
    each.arms[1].tempered = {{.temperature = 0.5, .log_probability = {std::log(3.0), 0.0}}};
  }
  scored.decisions.front().arms[1].tempered.clear();
  const MarginGroup group = analyse(scored).comparisons.at(0).groups.at(0);
  ASSERT_EQ(group.mass.size(), 2U);
  EXPECT_EQ(group.mass[0].temperature, 0.5);
  EXPECT_EQ(group.mass[0].decisions, 29U);
  EXPECT_NEAR(*group.mass[0].reference.value, 0.5, 1e-12);
  EXPECT_NEAR(*group.mass[0].amplification.value, 0.5, 1e-12);
  EXPECT_EQ(group.mass[1].temperature, 1.0);
  EXPECT_EQ(group.mass[1].decisions, 30U);
}

TEST(Analyse, SideTestTellsMarginsFromDivergence) {
  // Thin margins flip; divergence is the same everywhere but for two decisions that are kept.
  std::vector<ScoredDecision> decisions;
  for (int task = 0; task < 8; ++task) {
    const std::string id = std::to_string(task);
    decisions.push_back(decision(id, 0.1, -0.1));
    decisions.back().arms[1].divergence = 0.1;
    decisions.push_back(decision(id, 5.0 + task, 5.0));
    decisions.back().arms[1].divergence = task < 4 ? 0.2 : 0.1;
  }
  const SideTest test = analyse(two_arms(std::move(decisions))).comparisons[0].groups[0].side_test;
  EXPECT_EQ(test.decisions, 16U);
  EXPECT_EQ(test.flipped, 8U);
  EXPECT_EQ(test.auc_thinness.value, 1.0);
  EXPECT_EQ(test.auc_divergence.value, 0.25);
  EXPECT_EQ(test.auc_difference.value, 0.75);
  EXPECT_TRUE(test.auc_difference.low && test.auc_difference.high);
  EXPECT_GT(*test.rank_thinness.value, 0.0);
}

TEST(Analyse, ListsWhatCarriesTheDamage) {
  std::vector<ScoredDecision> decisions = {decision("a", 2.0, 1.0), decision("b", 1.0, -1.0),
                                           decision("c", 1.0, 2.0)};
  decisions[1].message = 7;
  decisions[1].options[1].text = "cancel";
  // A flip that only margins show: another option is a bound.
  decisions.push_back(decision("d", 1.0, -1.0));
  decisions.back().options.push_back({.text = "rare"});
  decisions.back().arms[0] = {.log_probability = {1.0, 0.0, -9.0}, .at_most = {false, false, true}};
  decisions.back().arms[1] = {.log_probability = {-1.0, 0.0, -9.0}};
  const Carriers carriers =
      analyse(two_arms(std::move(decisions)), {.listed = 2}).comparisons[0].carriers;
  ASSERT_EQ(carriers.decisions.size(), 2U);
  EXPECT_EQ(carriers.decisions[0].task_id, "b");
  EXPECT_EQ(carriers.decisions[0].message, 7U);
  EXPECT_EQ(carriers.decisions[0].inadmissible, "cancel");
  EXPECT_TRUE(carriers.decisions[0].flipped);
  EXPECT_EQ(carriers.decisions[1].task_id, "a");
  EXPECT_FALSE(carriers.decisions[1].flipped);
  EXPECT_NEAR(carriers.listed_rise, carriers.rise, 1e-12);
  ASSERT_EQ(carriers.names.size(), 2U);
  EXPECT_EQ(carriers.names[0].name, "cancel");
  EXPECT_EQ(carriers.names[0].flipped_to, 1U);
}

TEST(Analyse, PutsTheLogsOwnAmplificationBeside) {
  MarginSettings settings;
  settings.logged = {{.arm = "int4", .ratio = {2.5, 2.1, 3.0, {}}},
                     {.arm = "int4", .provenance = "near_miss", .ratio = {1.5, 1.1, 2.0, {}}}};
  const MarginComparison comparison = analyse(small_study(), settings).comparisons.at(0);
  EXPECT_EQ(comparison.group(GroupBy::kind, "tool_name")->top.logged.value, 2.5);
  EXPECT_EQ(comparison.group(GroupBy::provenance, "near_miss")->top.logged.value, 1.5);
  EXPECT_EQ(comparison.group(GroupBy::provenance, "novel")->top.logged.value, std::nullopt);
}

TEST(Analyse, HistogramHoldsEveryMarginAndHasABorderAtZero) {
  const MarginGroup group = analyse(small_study()).comparisons.at(0).groups.at(0);
  FlipMatrix all;
  bool border = false;
  for (const HistogramBin& bin : group.histogram) {
    all.good_good += bin.outcomes.good_good;
    all.good_bad += bin.outcomes.good_bad;
    all.bad_good += bin.outcomes.bad_good;
    all.bad_bad += bin.outcomes.bad_bad;
    border = border || bin.high == 0.0;
  }
  EXPECT_EQ(all, group.matrix);
  EXPECT_TRUE(border);
}

TEST(Noise, FlipsBeyondTheWindowAreNotPredicted) {
  EXPECT_EQ(flip_probability(3.0, 0.0, 1.0, 2.0), 0.0);
  EXPECT_EQ(flip_probability(-3.0, 0.0, 1.0, 2.0), 0.0);
  EXPECT_EQ(flip_probability(0.0, 0.0, 1.0, 2.0), 0.5);
  const std::vector<double> errors = {-2.0, -1.0, 0.5, 1.5};
  EXPECT_EQ(flip_share(1.0, errors, 2.0), 0.5);  // 1 - 1 = 0 is bad
  EXPECT_EQ(flip_share(-1.0, errors, 2.0), 0.25);
  EXPECT_EQ(flip_share(3.0, errors, 2.0), 0.0);
}

TEST(Noise, SlopeIsThatOfLeastSquares) {
  // e = 1 - m/2.
  const std::vector<PairedMargin> decisions = {{.reference = 0.0, .arm = 1.0},
                                               {.reference = 2.0, .arm = 2.0},
                                               {.reference = 4.0, .arm = 3.0}};
  EXPECT_NEAR(*noise_of(decisions, 10.0).slope, -0.5, 1e-12);
  EXPECT_EQ(noise_of(decisions, 1.0).slope, std::nullopt);
}

}  // namespace
}  // namespace unmask::margins
