#include "unmask/stats/rate.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/interval.h"
#include "unmask/stats/special.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {
namespace {

using Tasks = std::vector<TaskTotal>;

TEST(Rate, CannotBeHad) {
  for (const IntervalKind kind :
       {IntervalKind::korn_graubard, IntervalKind::wilson, IntervalKind::plain_t}) {
    EXPECT_EQ(rate(Tasks{}, kind).estimate.figure, missing(kNoTasks));
    EXPECT_EQ(rate(Tasks{{0, 0}, {0, 0}}, kind).estimate.figure, missing(kEmptyDenominator));
    EXPECT_EQ(rate(Tasks{{1, 4}}, kind).estimate.figure, without_interval(0.25, kOneTask));
  }
  const Rate one_call = rate(Tasks{{1, 1}, {0, 0}}, IntervalKind::korn_graubard);
  EXPECT_EQ(one_call.estimate.figure.value, 1.0);
  EXPECT_FALSE(one_call.estimate.figure.low.has_value());
  EXPECT_FALSE(one_call.estimate.figure.reason.empty());
  const Rate no_share = rate(Tasks{{5, 4}, {3, 3}, {1, 1}}, IntervalKind::korn_graubard);
  EXPECT_FALSE(no_share.estimate.upper_bound.has_value());
  EXPECT_FALSE(no_share.estimate.figure.reason.empty());
  const Rate level = rate(Tasks{{1, 4}, {1, 4}}, IntervalKind::plain_t);
  EXPECT_EQ(level.estimate.figure, without_interval(0.25, kNoSpread));
  EXPECT_EQ(level.estimate.se, 0.0);
}

TEST(Rate, RefusesWhatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)rate(Tasks{{nan, 1}, {1, 1}}, IntervalKind::plain_t), BugError);
  EXPECT_THROW((void)rate(Tasks{{1, -1}, {1, 1}}, IntervalKind::plain_t), BugError);
}

TEST(Rate, ZeroAndOneKeepAnInterval) {
  const Rate none = rate(Tasks{{0, 10}, {0, 12}, {0, 8}}, IntervalKind::korn_graubard);
  EXPECT_EQ(none.estimate.figure.value, 0.0);
  EXPECT_EQ(none.estimate.figure.low, 0.0);
  EXPECT_GT(*none.estimate.figure.high, 0.0);
  EXPECT_LT(*none.estimate.upper_bound, *none.estimate.figure.high);
  EXPECT_EQ(none.n_eff, 3.0);
  EXPECT_FALSE(none.deff.has_value());
  const Rate all = rate(Tasks{{4, 4}, {3, 3}, {4, 4}}, IntervalKind::wilson);
  EXPECT_EQ(all.estimate.figure.high, 1.0);
  EXPECT_LT(*all.estimate.figure.low, 1.0);
}

TEST(Rate, OneObservationATaskIsTheBinomialShare) {
  // 20 tasks of one call each, 5 failed: n R(1-R)/(n-1)/n is the usual variance, deff = n/(n-1).
  Tasks tasks(20, {0, 1});
  for (std::size_t i = 0; i < 5; ++i) tasks[i].numerator = 1;
  const Rate result = rate(tasks, IntervalKind::wilson);
  EXPECT_NEAR(*result.estimate.se, std::sqrt(0.25 * 0.75 / 19.0), 1e-15);
  EXPECT_NEAR(*result.deff, 20.0 / 19.0, 1e-12);
  EXPECT_NEAR(*result.n_eff, 19.0, 1e-12);
  const Interval expected = wilson(0.25, 19.0, t_quantile(0.975, 19));
  EXPECT_NEAR(*result.estimate.figure.low, expected.low, 1e-12);
  EXPECT_NEAR(*result.estimate.figure.high, expected.high, 1e-12);
}

TEST(Rate, ClusteringWidensTheInterval) {
  const Tasks even = {{2, 10}, {3, 10}, {2, 10}, {3, 10}, {2, 10}, {3, 10}};
  const Tasks lumped = {{10, 10}, {0, 10}, {0, 10}, {5, 10}, {0, 10}, {0, 10}};
  const Rate a = rate(even, IntervalKind::korn_graubard);
  const Rate b = rate(lumped, IntervalKind::korn_graubard);
  EXPECT_EQ(a.estimate.figure.value, b.estimate.figure.value);
  EXPECT_EQ(a.deff, 1.0);
  EXPECT_GT(*b.deff, 5.0);
  EXPECT_GT(*b.estimate.figure.high, *a.estimate.figure.high);
  EXPECT_LT(*b.estimate.figure.low, *a.estimate.figure.low);
  EXPECT_EQ(b.tasks_with_numerator, 2U);
  EXPECT_TRUE(b.few_clusters);
}

TEST(Rate, BoundsLieInsideTheInterval) {
  const Tasks tasks = {{2, 10}, {7, 20}, {0, 15}, {3, 9}, {1, 12}};
  for (const IntervalKind kind :
       {IntervalKind::korn_graubard, IntervalKind::wilson, IntervalKind::plain_t}) {
    const Estimate estimate = rate(tasks, kind).estimate;
    EXPECT_LT(*estimate.figure.low, *estimate.lower_bound);
    EXPECT_LT(*estimate.lower_bound, *estimate.figure.value);
    EXPECT_LT(*estimate.figure.value, *estimate.upper_bound);
    EXPECT_LT(*estimate.upper_bound, *estimate.figure.high);
    EXPECT_TRUE(estimate.figure.reason.empty());
  }
}

TEST(Rate, FewClusters) {
  EXPECT_TRUE(few_clusters(29, 29));
  EXPECT_TRUE(few_clusters(114, 9));
  EXPECT_FALSE(few_clusters(30, 10));
}

TEST(RateDifference, SignAndPairing) {
  // The arm has one error more in every task: no spread between tasks, whatever each rate's own.
  std::vector<TaskPair> tasks;
  for (const double errors : {0.0, 4.0, 1.0}) tasks.push_back({{errors, 5}, {errors + 1, 5}});
  const Estimate estimate = rate_difference(tasks);
  EXPECT_NEAR(*estimate.figure.value, 0.2, 1e-15);
  EXPECT_EQ(estimate.se, 0.0);
  EXPECT_EQ(estimate.figure.reason, kNoSpread);
  tasks[0].arm.numerator += 2;
  EXPECT_GT(*rate_difference(tasks).se, 0.0);
}

TEST(RateDifference, CannotBeHad) {
  EXPECT_EQ(rate_difference({}).figure, missing(kNoTasks));
  const std::vector<TaskPair> no_calls = {{{1, 2}, {0, 0}}, {{1, 2}, {0, 0}}};
  EXPECT_EQ(rate_difference(no_calls).figure, missing(kEmptyDenominator));
  const std::vector<TaskPair> one = {{{1, 4}, {3, 4}}};
  EXPECT_EQ(rate_difference(one).figure, without_interval(0.5, kOneTask));
}

}  // namespace
}  // namespace unmask::stats
