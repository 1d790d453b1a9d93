#include "unmask/stats/score.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/pass_k.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {
namespace {

using Tasks = std::vector<TaskTotal>;

TEST(Score, CannotBeHad) {
  EXPECT_EQ(score(Tasks{}).figure, missing(kNoTasks));
  EXPECT_EQ(score(Tasks{{3, 4}}).figure, without_interval(0.75, kOneTask));
  EXPECT_THROW((void)score(Tasks{{0, 0}, {1, 1}}), BugError);
  EXPECT_THROW((void)score(Tasks{{2, 1}, {1, 1}}), BugError);
}

TEST(Score, TasksWeighEqually) {
  const Tasks tasks = {{4, 4}, {0, 1}};
  EXPECT_EQ(score(tasks).figure.value, 0.5);
  EXPECT_EQ(rate(tasks, IntervalKind::wilson).estimate.figure.value, 0.8);
}

TEST(Score, EqualTrialsGiveTheEpisodeMean) {
  const Tasks tasks = {{4, 4}, {0, 4}, {3, 4}, {2, 4}, {4, 4}, {1, 4}};
  const Estimate by_task = score(tasks);
  const Estimate by_episode = rate(tasks, IntervalKind::wilson).estimate;
  EXPECT_NEAR(*by_task.figure.value, *by_episode.figure.value, 1e-15);
  EXPECT_NEAR(*by_task.se, *by_episode.se, 1e-15);
  EXPECT_NEAR(*by_task.figure.low, *by_episode.figure.low, 1e-14);
  EXPECT_NEAR(*by_task.upper_bound, *by_episode.upper_bound, 1e-14);
}

TEST(Score, WithoutSpreadTheTasksAreTheObservations) {
  const Estimate all = score(Tasks{{4, 4}, {4, 4}, {4, 4}});
  EXPECT_EQ(all.se, 0.0);
  EXPECT_EQ(all.figure.high, 1.0);
  EXPECT_LT(*all.figure.low, 0.5);
}

TEST(TaskMean, TakesNegativeNumerators) {
  const Estimate mean = task_mean(Tasks{{-1, 4}, {1, 4}, {-2, 4}});
  EXPECT_NEAR(*mean.figure.value, -1.0 / 6.0, 1e-15);
  EXPECT_LT(*mean.figure.low, *mean.lower_bound);
}

TEST(PassHatK, EdgesAndFirstPowerIsTheScore) {
  const Tasks tasks = {{4, 4}, {2, 4}, {0, 4}, {3, 3}, {1, 2}};
  EXPECT_EQ(pass_hat_k(tasks, 1), score(tasks));
  EXPECT_THROW((void)pass_hat_k(tasks, 0), BugError);
  const Estimate none = pass_hat_k(tasks, 5);
  EXPECT_FALSE(none.figure.value.has_value());
  EXPECT_FALSE(none.figure.reason.empty());
  // C(2,2)/C(4,2) = 1/6; tasks with fewer than three trials drop out at k = 3.
  EXPECT_NEAR(*pass_hat_k(tasks, 2).figure.value, (1.0 + 1.0 / 6.0 + 0.0 + 1.0 + 0.0) / 5.0, 1e-15);
  EXPECT_EQ(pass_hat_k(tasks, 3).tasks, 4U);
  EXPECT_EQ(pass_hat_k(Tasks{{4, 4}}, 4).figure, without_interval(1.0, kOneTask));
}

TEST(PassHatK, FallsWithK) {
  const Tasks tasks = {{5, 6}, {2, 6}, {6, 6}, {3, 6}};
  double last = 1.0;
  for (int k = 1; k <= 6; ++k) {
    const double value = *pass_hat_k(tasks, k).figure.value;
    EXPECT_LT(value, last);
    last = value;
  }
  EXPECT_EQ(last, 0.25);
}

}  // namespace
}  // namespace unmask::stats
