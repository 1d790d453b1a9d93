#include "unmask/stats/sign_flip.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/base/rng.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {
namespace {

using Values = std::vector<std::int64_t>;

// Every sign vector, one by one.
double brute_force(const Values& values) {
  std::int64_t observed = 0;
  for (const std::int64_t x : values) observed += x;
  std::size_t reached = 0;
  const std::size_t vectors = std::size_t{1} << values.size();
  for (std::size_t bits = 0; bits < vectors; ++bits) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += ((bits >> i) & 1U) != 0 ? values[i] : -values[i];
    }
    if (std::abs(sum) >= std::abs(observed)) ++reached;
  }
  return static_cast<double>(reached) / static_cast<double>(vectors);
}

Values random_values(Rng& rng, std::size_t size, std::uint32_t range) {
  Values values;
  for (std::size_t i = 0; i < size; ++i) {
    values.push_back(static_cast<std::int64_t>(rng.below(2 * range + 1)) - range);
  }
  return values;
}

TEST(ExactFlip, Edges) {
  EXPECT_EQ(exact_flip_p(Values{}), 1.0);
  EXPECT_EQ(exact_flip_p(Values{0, 0}), 1.0);
  EXPECT_EQ(exact_flip_p(Values{7}), 1.0);
  EXPECT_EQ(exact_flip_p(Values{3, -3}), 1.0);
  EXPECT_EQ(exact_flip_p(Values{3, 3}), 0.5);
  EXPECT_EQ(exact_flip_p(Values(10, -4)), std::ldexp(1.0, -9));
}

TEST(ExactFlip, EqualsBruteForce) {
  Rng rng(7, "sign_flip_test");
  for (int draw = 0; draw < 60; ++draw) {
    const Values values = random_values(rng, 1 + rng.below(11), 1 + rng.below(9));
    EXPECT_NEAR(exact_flip_p(values), brute_force(values), 1e-14);
  }
}

TEST(ExactFlip, ScaleAndSignDoNotMatter) {
  const Values values = {3, -1, 4, 1, -5, 9, 2, 6};
  Values scaled;
  for (const std::int64_t x : values) scaled.push_back(-1'000'000'007 * x);
  EXPECT_EQ(exact_flip_p(values), exact_flip_p(scaled));
}

TEST(ExactFlip, ManyTasksNeverGiveZero) {
  EXPECT_GT(exact_flip_p(Values(3000, 1)), 0.0);
  EXPECT_LE(exact_flip_p(Values(3000, 1)), std::numeric_limits<double>::min());
}

TEST(RandomFlip, AgreesWithTheExactOne) {
  Rng rng(11, "sign_flip_test");
  // Sizes around the table's group of eight and around 32 signs a word.
  for (const std::size_t size : {1U, 7U, 8U, 9U, 31U, 32U, 33U, 63U, 114U}) {
    const Values values = random_values(rng, size, 6);
    const double exact = exact_flip_p(values);
    const double drawn = random_flip_p(values, {.index = size});
    EXPECT_NEAR(drawn, exact, 4.0 * std::sqrt(exact * (1.0 - exact) / 1e5) + 2e-5) << size;
  }
}

TEST(RandomFlip, WideSumsAreCountedAlike) {
  // Prime multiples share no divisor with the rest, so that sums exceed 32 bits.
  const Values narrow = {5, -3, 2, 8, 1, -1, 7, 4, 3, 5, -2};
  Values wide = {1};
  for (const std::int64_t x : narrow) wide.push_back(x * 1'000'000'007);
  Values padded = {0};
  padded.insert(padded.end(), narrow.begin(), narrow.end());
  EXPECT_NEAR(random_flip_p(wide, {}), exact_flip_p(padded), 0.01);
}

TEST(RandomFlip, KeyedByStreamOnly) {
  const Values values = {5, -3, 2, 8, 1, -1, 7, 4, 3, 5, -2, 6, 1};
  EXPECT_EQ(random_flip_p(values, {.index = 3}), random_flip_p(values, {.index = 3}));
  EXPECT_NE(random_flip_p(values, {.index = 3}), random_flip_p(values, {.index = 4}));
  EXPECT_NE(random_flip_p(values, {.seed = 1}), random_flip_p(values, {.seed = 2}));
  // p = (1 + #)/(1 + B)
  EXPECT_EQ(random_flip_p(Values(40, 1), {.replicates = 99}), 0.01);
  EXPECT_THROW((void)random_flip_p(values, {.replicates = 0}), BugError);
}

TEST(ScoreFlip, UnequalTrials) {
  // d = 1/2 - 1/3, 1 - 1/4, 0: over 12ths the integers are 2, 9, 0.
  const std::vector<TaskPair> tasks = {{{1, 2}, {1, 3}}, {{3, 3}, {1, 4}}, {{1, 2}, {2, 4}}};
  const FlipTest test = score_flip_test(tasks);
  EXPECT_TRUE(test.exact);
  EXPECT_EQ(test.nonzero, 2U);
  EXPECT_EQ(test.p, exact_flip_p(Values{2, 9, 0}));
}

TEST(ScoreFlip, LargeMultiplesAreDrawn) {
  // lcm(7, 11, 13, 17) = 17017 > 10^4.
  std::vector<TaskPair> tasks;
  for (const double trials : {7.0, 11.0, 13.0, 17.0}) tasks.push_back({{trials, trials}, {0, 1}});
  const FlipTest test = score_flip_test(tasks);
  EXPECT_FALSE(test.exact);
  EXPECT_NEAR(*test.p, 0.125, 0.01);
  // No common multiple of a usable size.
  for (const double prime : {1009.0, 1013.0, 1019.0, 1021.0}) tasks.push_back({{1, prime}, {0, 1}});
  EXPECT_FALSE(score_flip_test(tasks).p.has_value());
  EXPECT_FALSE(score_flip_test(tasks).reason.empty());
}

TEST(ScoreFlip, Edges) {
  EXPECT_EQ(score_flip_test({}).reason, kNoTasks);
  EXPECT_EQ(score_flip_test(std::vector<TaskPair>{{{1, 2}, {2, 4}}}).p, 1.0);
  EXPECT_THROW((void)score_flip_test(std::vector<TaskPair>{{{0.5, 2}, {2, 4}}}), BugError);
  EXPECT_THROW((void)score_flip_test(std::vector<TaskPair>{{{0, 0}, {2, 4}}}), BugError);
}

std::vector<TaskPair> random_rates(Rng& rng, std::size_t size) {
  std::vector<TaskPair> tasks;
  tasks.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    tasks.push_back({{static_cast<double>(rng.below(5)), 8.0 + rng.below(9)},
                     {static_cast<double>(rng.below(7)), 8.0 + rng.below(9)}});
  }
  return tasks;
}

TEST(RateFlip, EqualsBruteForceOnItsIntegers) {
  Rng rng(3, "sign_flip_test");
  for (int draw = 0; draw < 40; ++draw) {
    const std::vector<TaskPair> tasks = random_rates(rng, 1 + rng.below(12));
    std::int64_t numerator = 0;
    std::int64_t denominator = 0;
    for (const TaskPair& pair : tasks) {
      numerator += static_cast<std::int64_t>(pair.reference.numerator + pair.arm.numerator);
      denominator += static_cast<std::int64_t>(pair.reference.denominator + pair.arm.denominator);
    }
    Values values;
    for (const TaskPair& pair : tasks) {
      values.push_back(
          static_cast<std::int64_t>(pair.arm.numerator - pair.reference.numerator) * denominator -
          static_cast<std::int64_t>(pair.arm.denominator - pair.reference.denominator) * numerator);
    }
    const FlipTest test = rate_flip_test(tasks);
    EXPECT_TRUE(test.exact);
    EXPECT_NEAR(*test.p, brute_force(values), 1e-14);
  }
}

TEST(RateFlip, SwitchesToRandomAboveTwentyTasks) {
  // Equal denominators: d_i is the difference of the counts.
  std::vector<TaskPair> tasks(20, {{0, 4}, {1, 4}});
  tasks.resize(60, {{2, 4}, {2, 4}});
  FlipTest test = rate_flip_test(tasks);
  EXPECT_TRUE(test.exact);
  EXPECT_EQ(test.nonzero, 20U);
  EXPECT_EQ(test.p, std::ldexp(1.0, -19));
  tasks[30].arm.numerator = 3;
  test = rate_flip_test(tasks, {.replicates = 999});
  EXPECT_FALSE(test.exact);
  EXPECT_EQ(test.p, 0.001);
}

TEST(RateFlip, Edges) {
  EXPECT_EQ(rate_flip_test({}).reason, kNoTasks);
  EXPECT_EQ(rate_flip_test(std::vector<TaskPair>{{{0, 0}, {0, 0}}}).reason, kEmptyDenominator);
  EXPECT_EQ(rate_flip_test(std::vector<TaskPair>{{{0, 4}, {0, 4}}}).p, 1.0);
  EXPECT_THROW((void)rate_flip_test(std::vector<TaskPair>{{{0, 4.5}, {0, 4}}}), BugError);
}

TEST(RateFlip, HugeCountsAreNoBug) {
  const double huge = 0x1.0p52;
  const std::vector<TaskPair> tasks = {{{1, huge}, {huge, huge + 1}}, {{3, 7}, {huge - 1, huge}}};
  const FlipTest test = rate_flip_test(tasks);
  EXPECT_FALSE(test.p.has_value());
  EXPECT_FALSE(test.reason.empty());
}

TEST(RateFlip, SizeUnderTheNull) {
  // 2,000 null studies of 60 clustered tasks: about 5 % below 5 %, 4 standard errors = 2 points.
  Rng rng(5, "null_study");
  int rejected = 0;
  for (std::uint64_t study = 0; study < 2000; ++study) {
    std::vector<TaskPair> tasks;
    for (int i = 0; i < 60; ++i) {
      const double level = rng.gamma(0.8, 1.5);
      tasks.push_back({{static_cast<double>(rng.poisson(level)), 4},
                       {static_cast<double>(rng.poisson(level)), 4}});
    }
    const FlipTest test = rate_flip_test(tasks, {.index = study, .replicates = 399});
    if (*test.p < 0.05) ++rejected;
  }
  EXPECT_GT(rejected, 60);
  EXPECT_LT(rejected, 140);
}

}  // namespace
}  // namespace unmask::stats
