// Paired differences, amplification, equivalence, corrections, detectable effects, repair.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/stats/amplification.h"
#include "unmask/stats/detectable.h"
#include "unmask/stats/equivalence.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/multiple_comparisons.h"
#include "unmask/stats/paired_difference.h"
#include "unmask/stats/repair_effect.h"
#include "unmask/stats/special.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {
namespace {

using Pairs = std::vector<TaskPair>;

TEST(PairedDifference, PositiveMeansTheArmIsWorse) {
  const Pairs tasks = {{{4, 4}, {2, 4}}, {{3, 4}, {3, 4}}, {{4, 4}, {3, 4}}, {{2, 4}, {0, 4}}};
  const PairedDifference gap = paired_difference(tasks);
  EXPECT_NEAR(*gap.estimate.figure.value, 0.3125, 1e-15);
  EXPECT_EQ(gap.test.p, 0.25);
  EXPECT_EQ(gap.test.nonzero, 3U);
  EXPECT_GT(*gap.estimate.lower_bound, *gap.estimate.figure.low);
}

TEST(PairedDifference, EdgesHaveReasons) {
  const PairedDifference none = paired_difference({});
  EXPECT_EQ(none.estimate.figure, missing(kNoTasks));
  EXPECT_FALSE(none.test.p.has_value());
  const PairedDifference one = paired_difference(Pairs{{{1, 2}, {0, 2}}});
  EXPECT_EQ(one.estimate.figure, without_interval(0.5, kOneTask));
  EXPECT_EQ(one.test.p, 1.0);
  // Identical arms: a gap of exactly 0, no interval, p = 1.
  const PairedDifference same =
      paired_difference(Pairs{{{1, 3}, {1, 3}}, {{2, 3}, {2, 3}}, {{1, 6}, {1, 6}}});
  EXPECT_EQ(same.estimate.figure, without_interval(0.0, kNoSpread));
  EXPECT_EQ(same.test.p, 1.0);
}

TEST(PairedDifference, CancellingThirdsGiveZero) {
  const PairedDifference gap = paired_difference(
      Pairs{{{1, 3}, {0, 3}}, {{0, 3}, {2, 3}}, {{1, 3}, {0, 3}}, {{1, 2}, {1, 2}}});
  EXPECT_EQ(gap.estimate.figure.value, 0.0);
  EXPECT_GT(*gap.estimate.se, 0.0);
}

TEST(PairedDifference, SwappingTheArmsTurnsTheSign) {
  const Pairs tasks = {{{4, 4}, {2, 4}}, {{3, 4}, {4, 4}}, {{4, 4}, {1, 4}}};
  Pairs swapped;
  for (const TaskPair& pair : tasks) swapped.push_back({pair.arm, pair.reference});
  const PairedDifference a = paired_difference(tasks);
  const PairedDifference b = paired_difference(swapped);
  EXPECT_DOUBLE_EQ(*a.estimate.figure.low, -*b.estimate.figure.high);
  EXPECT_EQ(a.test, b.test);
}

TEST(Amplification, CannotBeHad) {
  struct Case {
    Pairs tasks;
    bool plain_ratio;
  };
  const Case cases[] = {
      {{}, false},
      {{{{1, 2}, {3, 2}}}, true},                     // one task
      {{{{0, 2}, {3, 2}}, {{0, 2}, {1, 2}}}, false},  // nothing in the reference
      {{{{1, 2}, {0, 2}}, {{1, 2}, {0, 2}}}, true},   // nothing in the arm
      {{{{1, 2}, {5, 2}}, {{2, 2}, {0, 2}}}, true},   // one task holds the arm's
      {{{{9, 2}, {5, 2}}, {{0, 2}, {1, 2}}}, true},   // one task holds the reference's
      {{{{1, 0}, {5, 0}}, {{2, 0}, {3, 0}}}, false},  // no denominator
      {{{{1, 2}, {5, 2}}, {{2, 0}, {3, 2}}, {{1, 0}, {1, 1}}}, true},  // one task holds it all
  };
  for (const Case& item : cases) {
    const Amplification result = amplification(item.tasks);
    EXPECT_FALSE(result.ratio.figure.value.has_value());
    EXPECT_FALSE(result.ratio.figure.reason.empty());
    EXPECT_FALSE(result.ratio.upper_bound.has_value());
    EXPECT_FALSE(result.se_ln.has_value());
    EXPECT_EQ(result.plain_ratio.has_value(), item.plain_ratio) << result.ratio.figure.reason;
  }
}

TEST(Amplification, ProportionalArmsCollapse) {
  const Amplification twice =
      amplification(Pairs{{{1, 4}, {2, 4}}, {{3, 4}, {6, 4}}, {{2, 4}, {4, 4}}});
  EXPECT_NEAR(*twice.ratio.figure.value, 2.0, 1e-14);
  EXPECT_EQ(twice.se_ln, 0.0);
  EXPECT_NEAR(*twice.ratio.figure.low, 2.0, 1e-14);
  EXPECT_NEAR(*twice.ratio.upper_bound, 2.0, 1e-14);
}

TEST(Amplification, IntervalIsSymmetricInTheLogarithm) {
  Pairs tasks;
  for (const double errors : {1.0, 0.0, 4.0, 2.0, 0.0, 3.0, 1.0, 0.0, 2.0, 5.0}) {
    tasks.push_back({{errors, 4}, {errors + 2, 4}});
  }
  const Amplification result = amplification(tasks);
  EXPECT_NEAR(*result.ratio.figure.value, 38.0 / 18.0, 1e-14);
  EXPECT_NEAR(*result.ratio.figure.low * *result.ratio.figure.high,
              std::pow(*result.ratio.figure.value, 2), 1e-12);
  EXPECT_LT(*result.ratio.figure.low, *result.ratio.lower_bound);
  EXPECT_TRUE(result.tested());
  EXPECT_EQ(result.tasks_with_errors, 10U);
  EXPECT_NEAR(*result.difference.figure.value, 0.5, 1e-15);
  tasks.resize(7);
  EXPECT_FALSE(amplification(tasks).tested());
}

TEST(Equivalence, Edges) {
  EXPECT_EQ(equivalence({}).method, Equivalence::Method::none);
  EXPECT_FALSE(equivalence({}).equivalent());
  EXPECT_FALSE(equivalence({}).reason.empty());
  // Identical arms: needs 39 tasks at 7.5 points, and never comes from SE = 0.
  EXPECT_FALSE(equivalence(std::vector<double>(38, 0.0)).equivalent());
  EXPECT_TRUE(equivalence(std::vector<double>(39, 0.0)).equivalent());
  // All tasks worse by the same tiny amount: no spread, so no t-test.
  const Equivalence level = equivalence(std::vector<double>(50, 0.01));
  EXPECT_EQ(level.method, Equivalence::Method::binomial);
  EXPECT_FALSE(level.equivalent());
  EXPECT_THROW((void)equivalence(std::vector<double>{0.0}, 0.0), BugError);
}

TEST(Equivalence, TasksThatTheGuardedVersionNeeds) {
  const auto needed = [](std::size_t tasks, std::size_t worse) {
    std::vector<double> d(tasks, 0.0);
    for (std::size_t i = 0; i < worse; ++i) d[i] = 0.25;
    return guarded_tasks_needed(equivalence(d));
  };
  EXPECT_EQ(needed(20, 0), 39U);             // 0.925^39 < 0.05 < 0.925^38
  EXPECT_EQ(needed(20, 2), std::nullopt);    // 10 % differ, more than the margin
  EXPECT_EQ(needed(114, 12), std::nullopt);  // t-tests
  EXPECT_EQ(guarded_tasks_needed(equivalence({})), std::nullopt);
  const std::optional<std::size_t> five = needed(114, 5);
  ASSERT_TRUE(five.has_value());
  EXPECT_GT(*five, 114U);
  const auto differing = static_cast<std::int64_t>((*five * 5 + 113) / 114);
  EXPECT_LT(binomial_cdf(differing, static_cast<std::int64_t>(*five), 0.075), 0.05);
}

TEST(Equivalence, AgreesWithTheNinetyPercentInterval) {
  std::vector<double> d;
  d.reserve(40);
  for (int i = 0; i < 40; ++i) d.push_back(i % 4 == 0 ? 0.25 : (i % 5 == 0 ? -0.25 : 0.0));
  for (const double margin : {0.02, 0.05, 0.075, 0.1, 0.15}) {
    const Equivalence test = equivalence(d, margin);
    ASSERT_EQ(test.method, Equivalence::Method::t);
    EXPECT_EQ(test.equivalent(), test.interval90->low > -margin && test.interval90->high < margin);
    EXPECT_EQ(test.non_inferior(), test.interval90->high < margin);
  }
}

TEST(MultipleComparisons, Edges) {
  EXPECT_TRUE(holm({}).empty());
  EXPECT_TRUE(benjamini_hochberg({}).empty());
  EXPECT_THROW((void)holm(std::vector<double>{1.5}), BugError);
  EXPECT_THROW((void)holm(std::vector<double>{std::numeric_limits<double>::quiet_NaN()}), BugError);
}

TEST(MultipleComparisons, UntestedOnesAreNoMembers) {
  const std::vector<std::optional<double>> p = {0.01, std::nullopt, 0.04, std::nullopt, 0.03};
  const auto by_holm = adjusted(p);
  EXPECT_FALSE(by_holm[1].has_value());
  EXPECT_NEAR(*by_holm[0], 0.03, 1e-15);
  EXPECT_NEAR(*by_holm[4], 0.06, 1e-15);
  EXPECT_NEAR(*by_holm[2], 0.06, 1e-15);
  const auto by_bh = adjusted(p, Correction::benjamini_hochberg);
  EXPECT_NEAR(*by_bh[0], 0.03, 1e-15);
  EXPECT_NEAR(*by_bh[2], 0.04, 1e-15);
  EXPECT_NEAR(*by_bh[4], 0.04, 1e-15);
}

TEST(Detectable, EffectAndTasks) {
  EXPECT_FALSE(smallest_detectable(std::nullopt, 10).has_value());
  EXPECT_FALSE(smallest_detectable(0.0, 10).has_value());
  EXPECT_FALSE(smallest_detectable(0.1, 1).has_value());
  const double at_5 = *smallest_detectable(0.02, 114, 0.05);
  EXPECT_NEAR(at_5, 0.02 * (t_quantile(0.975, 113) + t_quantile(0.8, 113)), 1e-15);
  EXPECT_GT(*smallest_detectable(0.02, 114, 0.05 / 20), at_5);

  EXPECT_FALSE(tasks_needed(0.02, 114, 0.0).has_value());
  EXPECT_FALSE(tasks_needed(std::nullopt, 114, 0.1).has_value());
  EXPECT_FALSE(tasks_needed(0.02, 114, 1e-30).has_value());
  EXPECT_EQ(tasks_needed(0.02, 100, 0.02, 2.0), 400U);
  EXPECT_EQ(tasks_needed(0.02, 100, -0.02, 2.0), 400U);
  EXPECT_EQ(tasks_needed(0.0, 100, 0.02), 2U);
}

TEST(Repair, RecoversAndHarms) {
  std::vector<RepairTask> tasks;
  for (int i = 0; i < 12; ++i) {
    const double lost = i % 3 == 0 ? 1.0 : 2.0;
    tasks.push_back({{4, 4}, {4 - lost, 4}, {4 - lost / 2.0 + (i % 3 == 0 ? 0.5 : 0.0), 4}});
  }
  const RepairEffect effect = repair_effect(tasks);
  EXPECT_NEAR(*effect.gap_unrepaired.estimate.figure.value, 5.0 / 12.0, 1e-14);
  EXPECT_NEAR(*effect.gap_repaired.estimate.figure.value, 2.0 / 12.0, 1e-14);
  EXPECT_NEAR(*effect.recovered_share, 0.6, 1e-12);
  EXPECT_EQ(repair_outcome(effect, effect.gain.test.p), RepairOutcome::helps);
  EXPECT_EQ(repair_outcome(effect, 0.2), RepairOutcome::no_effect_shown);
  EXPECT_EQ(repair_outcome(effect, std::nullopt), RepairOutcome::no_effect_shown);

  for (RepairTask& task : tasks) std::swap(task.unrepaired, task.repaired);
  const RepairEffect harm = repair_effect(tasks);
  EXPECT_EQ(repair_outcome(harm, harm.gain.test.p), RepairOutcome::harms);
  EXPECT_LT(*harm.recovered_share, 0.0);
  EXPECT_EQ(name_of(RepairOutcome::harms), "harms");
  // No damage, nothing to recover.
  for (RepairTask& task : tasks) task = {{3, 4}, {3, 4}, {3, 4}};
  EXPECT_FALSE(repair_effect(tasks).recovered_share.has_value());
  EXPECT_FALSE(repair_effect(tasks).harm_bound.has_value());
}

}  // namespace
}  // namespace unmask::stats
