#include "unmask/stats/interval.h"

#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/stats/special.h"

namespace unmask::stats {
namespace {

TEST(Wilson, EndsAndSymmetry) {
  EXPECT_EQ(wilson(0, 10).low, 0.0);
  EXPECT_EQ(wilson(10, 10).high, 1.0);
  for (int successes = 0; successes <= 10; ++successes) {
    const Interval direct = wilson(successes, 10);
    const Interval mirrored = wilson(10 - successes, 10);
    EXPECT_NEAR(direct.low, 1.0 - mirrored.high, 1e-15);
    EXPECT_LE(direct.low, successes / 10.0);
    EXPECT_GE(direct.high, successes / 10.0);
  }
  EXPECT_THROW((void)wilson(1, 0), BugError);
  EXPECT_THROW((void)wilson(1.5, 3.0, 1.96), BugError);
}

TEST(ClopperPearson, TailsAreExact) {
  // At the limits the binomial tails are 2.5 % each.
  const Interval interval = clopper_pearson(3, 12);
  EXPECT_NEAR(binomial_cdf(3, 12, interval.high), 0.025, 1e-12);
  EXPECT_NEAR(1.0 - binomial_cdf(2, 12, interval.low), 0.025, 1e-12);
  EXPECT_EQ(clopper_pearson(0, 5).low, 0.0);
  EXPECT_EQ(clopper_pearson(5, 5).high, 1.0);
  EXPECT_NEAR(clopper_pearson(0, 5).high, 1.0 - std::pow(0.025, 0.2), 1e-12);
}

TEST(KornGraubard, CapsAtTheObservations) {
  EXPECT_EQ(korn_graubard_observations(1e9, 50, 40), 50.0);
  EXPECT_LT(korn_graubard_observations(50, 50, 40), 50.0);
  const Interval capped = korn_graubard(0.2, 1e9, 50, 40);
  EXPECT_EQ(capped, clopper_pearson(10, 50));
  EXPECT_EQ(korn_graubard(1.0, 4, 40, 4).high, 1.0);
  EXPECT_EQ(korn_graubard(0.0, 4, 40, 4).low, 0.0);
}

TEST(ZeroCount, UpperBound) {
  // n independent calls: the rule of three, exactly.
  EXPECT_NEAR(zero_count_upper_bound(100, 100, std::nullopt), 1.0 - std::pow(0.05, 0.01), 1e-14);
  // Calls count as far as the design effect lets them, at least as many as there are tasks.
  EXPECT_NEAR(zero_count_upper_bound(1000, 20, 10.0), 1.0 - std::pow(0.05, 0.01), 1e-14);
  EXPECT_EQ(zero_count_upper_bound(1000, 20, 1e6), zero_count_upper_bound(20, 20, std::nullopt));
  EXPECT_EQ(zero_count_upper_bound(1000, 20, 0.2), zero_count_upper_bound(1000, 20, 1.0));
  EXPECT_EQ(zero_count_upper_bound(1000, 20, std::nullopt),
            zero_count_upper_bound(20, 20, std::nullopt));
}

TEST(Special, RefusesArgumentsOutsideTheirRange) {
  EXPECT_THROW((void)t_quantile(0.0, 3), BugError);
  EXPECT_THROW((void)t_quantile(0.5, 0), BugError);
  EXPECT_THROW((void)t_cdf(std::nan(""), 3), BugError);
  EXPECT_THROW((void)normal_quantile(1.0), BugError);
  EXPECT_THROW((void)beta_cdf(1.5, 1, 1), BugError);
  EXPECT_THROW((void)polya_aeppli_cdf(1, 1.0, 1.0), BugError);
  EXPECT_THROW((void)ln_choose(3, 4), BugError);
}

TEST(Special, Identities) {
  EXPECT_NEAR(t_cdf(1.3, 7) + t_upper_tail(1.3, 7), 1.0, 1e-15);
  EXPECT_NEAR(t_cdf(t_quantile(0.9, 4), 4), 0.9, 1e-14);
  EXPECT_NEAR(normal_cdf(normal_quantile(0.3)), 0.3, 1e-14);
  EXPECT_EQ(binomial_cdf(-1, 5, 0.5), 0.0);
  EXPECT_EQ(binomial_cdf(5, 5, 0.5), 1.0);
  EXPECT_EQ(binomial_cdf(0, 0, 0.5), 1.0);
  EXPECT_EQ(poisson_cdf(-1, 2.0), 0.0);
  EXPECT_EQ(poisson_cdf(0, 0.0), 1.0);
  // Runs of length one are single events.
  EXPECT_NEAR(polya_aeppli_cdf(4, 2.5, 0.0), poisson_cdf(4, 2.5), 1e-14);
  EXPECT_NEAR(std::exp(ln_choose(6, 2)), 15.0, 1e-12);
}

}  // namespace
}  // namespace unmask::stats
