// Quantiles, the bootstrap over tasks, lengths.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/stats/bootstrap.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/length_summary.h"
#include "unmask/stats/moments.h"
#include "unmask/stats/quantile.h"

namespace unmask::stats {
namespace {

using Values = std::vector<double>;

TEST(Quantile, Edges) {
  EXPECT_THROW((void)quantile(Values{}, 0.5), BugError);
  EXPECT_THROW((void)quantile(Values{1.0}, 1.5), BugError);
  EXPECT_THROW((void)quantile(Values{std::numeric_limits<double>::quiet_NaN()}, 0.5), BugError);
  EXPECT_EQ(quantile(Values{5.0}, 0.9), 5.0);
  EXPECT_EQ(quantile(Values{2.0, 1.0}, 0.25), 1.25);
  EXPECT_EQ(quantile(Values{3, 1, 2}, 0.0), 1.0);
  EXPECT_EQ(quantile(Values{3, 1, 2}, 1.0), 3.0);
}

TEST(Moments, CompensatesAndDropsNoise) {
  EXPECT_EQ(sum_of(Values{1e16, 1.0, -1e16}), 1.0);
  EXPECT_FALSE(moments_of(Values{2.0}).se_of_mean.has_value());
  EXPECT_EQ(moments_of(Values(7, 0.1)).se_of_mean, 0.0);
  // The jackknife of a mean is its usual standard error.
  const Values values = {1.0, 4.0, 2.0, 8.0};
  Values left_out;
  for (const double value : values) left_out.push_back((15.0 - value) / 3.0);
  EXPECT_NEAR(jackknife_se(left_out), *moments_of(values).se_of_mean, 1e-14);
}

TEST(Bootstrap, CannotBeHad) {
  const TaskStatistic first = [](std::span<const std::uint32_t> draws) {
    return std::optional<double>(draws[0]);
  };
  EXPECT_EQ(bootstrap_over_tasks(0, first).figure, missing(kNoTasks));
  EXPECT_EQ(bootstrap_over_tasks(1, first).figure, without_interval(1.0, kOneTask));
  const TaskStatistic undefined = [](std::span<const std::uint32_t>) {
    return std::optional<double>();
  };
  EXPECT_FALSE(bootstrap_over_tasks(5, undefined).figure.value.has_value());
}

TEST(Bootstrap, CountsWhatItDrops) {
  // Undefined without task 0: in (1 - 1/n)^n of the replicates, 33 % for n = 5 - far over 5 %.
  const TaskStatistic needs_first = [](std::span<const std::uint32_t> draws) {
    return draws[0] > 0 ? std::optional<double>(1.0) : std::nullopt;
  };
  const BootstrapResult many = bootstrap_over_tasks(5, needs_first);
  EXPECT_EQ(many.figure.value, 1.0);
  EXPECT_FALSE(many.figure.low.has_value());
  EXPECT_NEAR(static_cast<double>(many.dropped), 2000 * std::pow(0.8, 5), 100);
  // Undefined only if one task fills the sample: 5^-4 of the replicates.
  const TaskStatistic nearly_always = [](std::span<const std::uint32_t> draws) {
    return draws[0] < 5 ? std::optional<double>(draws[0]) : std::nullopt;
  };
  EXPECT_TRUE(bootstrap_over_tasks(5, nearly_always).figure.low.has_value());
}

TEST(Bootstrap, IntervalOfAMean) {
  Values tasks;
  for (int i = 0; i < 100; ++i) tasks.push_back(i % 10);
  const TaskStatistic mean = [&](std::span<const std::uint32_t> draws) {
    double sum = 0.0;
    for (std::size_t i = 0; i < tasks.size(); ++i) sum += draws[i] * tasks[i];
    return std::optional<double>(sum / 100.0);
  };
  const BootstrapResult result = bootstrap_over_tasks(100, mean, {.replicates = 2000});
  const double half = 1.96 * std::sqrt(8.25 / 100.0);
  EXPECT_NEAR(*result.figure.low, 4.5 - half, 0.06);
  EXPECT_NEAR(*result.figure.high, 4.5 + half, 0.06);
  EXPECT_EQ(result, bootstrap_over_tasks(100, mean, {.replicates = 2000}));
  EXPECT_NE(result, bootstrap_over_tasks(100, mean, {.index = 1, .replicates = 2000}));
}

using ByTask = std::vector<std::vector<double>>;

TEST(LengthSummary, Edges) {
  const LengthSummary none = length_summary(ByTask{});
  EXPECT_EQ(none.episodes, 0U);
  EXPECT_FALSE(none.mean.figure.value.has_value());
  EXPECT_FALSE(none.median.figure.value.has_value());
  const LengthSummary empty = length_summary(ByTask{{}, {}});
  EXPECT_FALSE(empty.mean.figure.value.has_value());
  EXPECT_FALSE(empty.p90.figure.value.has_value());
  const LengthSummary one = length_summary(ByTask{{3.0, 5.0}});
  EXPECT_EQ(one.mean.figure, without_interval(4.0, kOneTask));
  EXPECT_EQ(one.median.figure, without_interval(4.0, kOneTask));
}

TEST(LengthSummary, QuantilesAreThoseOfTheEpisodes) {
  ByTask tasks;
  Values all;
  for (int task = 0; task < 30; ++task) {
    tasks.emplace_back();
    for (int trial = 0; trial <= task % 4; ++trial) {
      tasks.back().push_back((task * 37 + trial * 11) % 53);
      all.push_back(tasks.back().back());
    }
  }
  const LengthSummary summary = length_summary(tasks);
  EXPECT_EQ(summary.episodes, all.size());
  EXPECT_NEAR(*summary.mean.figure.value,
              std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size()),
              1e-12);
  EXPECT_DOUBLE_EQ(*summary.median.figure.value, quantile(all, 0.5));
  EXPECT_DOUBLE_EQ(*summary.p90.figure.value, quantile(all, 0.9));
  EXPECT_LE(*summary.median.figure.low, *summary.median.figure.value);
  EXPECT_GE(*summary.p90.figure.high, *summary.p90.figure.value);
  EXPECT_EQ(summary.median.dropped, 0U);
}

TEST(LengthComparison, LongerArm) {
  ByTask reference;
  ByTask arm;
  for (int task = 0; task < 40; ++task) {
    reference.push_back({5.0 + task % 7, 6.0 + task % 5});
    arm.push_back({8.0 + task % 7, 9.0 + task % 5});
  }
  const LengthComparison comparison = length_comparison(reference, arm);
  EXPECT_NEAR(*comparison.mean_difference.figure.value, 3.0, 1e-12);
  EXPECT_EQ(comparison.mean_difference.figure.reason, kNoSpread);
  EXPECT_NEAR(*comparison.median_difference.figure.value, 3.0, 1e-12);
  EXPECT_NEAR(*comparison.median_difference.figure.low, 3.0, 1e-12);
  EXPECT_GT(*comparison.mean_ratio.figure.low, 1.0);
  EXPECT_GT(*comparison.p90_ratio.figure.low, 1.0);
}

TEST(LengthComparison, NoRatioToZero) {
  const ByTask reference = {{0.0}, {0.0}, {0.0}};
  const ByTask arm = {{1.0}, {0.0}, {2.0}};
  const LengthComparison comparison = length_comparison(reference, arm);
  EXPECT_FALSE(comparison.mean_ratio.figure.value.has_value());
  EXPECT_FALSE(comparison.median_ratio.figure.value.has_value());
  EXPECT_TRUE(comparison.median_difference.figure.value.has_value());
}

}  // namespace
}  // namespace unmask::stats
