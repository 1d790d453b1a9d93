#include "unmask/screen/run_model.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/screen/simple_form.h"
#include "unmask/stats/special.h"

namespace unmask::screen {
namespace {

TEST(RunModel, FitsMeanVarianceAndShape) {
  const std::vector<std::uint32_t> runs = {0, 0, 0, 5, 1, 0, 2, 0};
  const RunModel model = fit_runs(run_sums(runs), 0.25);
  // R: x <- c(0,0,0,5,1,0,2,0); mean(x); var(x); mean(x)^2/(var(x)-mean(x))
  EXPECT_DOUBLE_EQ(model.mean, 1.0);
  EXPECT_NEAR(model.variance, 22.0 / 7.0, 1e-15);
  ASSERT_TRUE(model.shape.has_value());
  EXPECT_NEAR(*model.shape, 1.0 / (22.0 / 7.0 - 1.0), 1e-15);
}

TEST(RunModel, WithoutOverdispersionItIsPoisson) {
  EXPECT_FALSE(fit_runs(run_sums(std::array<std::uint32_t, 4>{1, 0, 1, 0}), 0.0).shape);
  EXPECT_FALSE(fit_runs(run_sums(std::array<std::uint32_t, 1>{7}), 0.0).shape);
  EXPECT_FALSE(fit_runs(run_sums(std::array<std::uint32_t, 2>{0, 0}), 0.0).shape);
}

TEST(RunModel, TakingOutWhatWasPutInChangesNothing) {
  RunSums sums = run_sums(std::array<std::uint32_t, 3>{4, 0, 1});
  const RunSums before = sums;
  sums += run_sums(std::array<std::uint32_t, 2>{2, 9});
  sums -= run_sums(std::array<std::uint32_t, 2>{2, 9});
  EXPECT_EQ(sums, before);
}

TEST(RunModel, CdfIsTheSumOfTheDefinition) {
  // F(k) = sum_j P(M = j) P(Bin(k, 1 - rho) >= j), term by term.
  for (const bool poisson : {true, false}) {
    for (const double rho : {0.0, 0.3, 0.95, 1.0}) {
      RunModel model{.mean = 0.8, .variance = 2.0, .shape = {}, .continuation = rho};
      if (!poisson) model.shape = 0.45;
      for (const double factor : {0.0, 0.5, 1.0, 3.0}) {
        const std::vector<double> cdf = failed_calls_cdf(model, factor, 12);
        for (int k = 0; k <= 12; ++k) {
          const double mean = factor * model.mean;
          double sum = 0.0;
          for (int j = 0; j <= k; ++j) {
            const double ln_density =
                poisson ? (j == 0 ? -mean : j * std::log(mean) - mean - std::lgamma(j + 1.0))
                        : std::lgamma(0.45 + j) - std::lgamma(0.45) - std::lgamma(j + 1.0) +
                              0.45 * std::log(0.45 / (0.45 + mean)) +
                              (j == 0 ? 0.0 : j * std::log(mean / (0.45 + mean)));
            const double lengths = j == 0 ? 1.0 : 1.0 - stats::binomial_cdf(j - 1, k, 1.0 - rho);
            sum += std::exp(ln_density) * lengths;
          }
          EXPECT_NEAR(cdf[static_cast<std::size_t>(k)], sum, 1e-13)
              << "k " << k << " rho " << rho << " factor " << factor;
        }
      }
    }
  }
}

TEST(RunModel, PoissonRunsAgreeWithPolyaAeppli) {
  const RunModel model{.mean = 1.3, .variance = 1.0, .shape = {}, .continuation = 0.45};
  const std::vector<double> cdf = failed_calls_cdf(model, 2.0, 15);
  for (int k = 0; k <= 15; ++k)
    EXPECT_NEAR(cdf[static_cast<std::size_t>(k)], stats::polya_aeppli_cdf(k, 2.6, 0.45), 1e-13);
}

TEST(RunModel, SurvivorsFallWithTheFactorAndRiseWithTheBudget) {
  const RunModel model{.mean = 0.9, .variance = 3.0, .shape = 0.4, .continuation = 0.4};
  const std::vector<double> same = surviving_shares(model, 1.0, 10);
  const std::vector<double> twice = surviving_shares(model, 2.0, 10);
  const std::vector<double> thrice = surviving_shares(model, 3.0, 10);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_DOUBLE_EQ(same[i], 1.0);
    EXPECT_LT(twice[i], 1.0);
    EXPECT_LT(thrice[i], twice[i]);
    if (i > 0) {
      EXPECT_GT(twice[i], twice[i - 1]);
    }
  }
}

TEST(RunModel, HugeMeansUnderflowToNoSurvivors) {
  const RunModel model{.mean = 2000.0, .variance = 1.0, .shape = {}, .continuation = 0.0};
  EXPECT_EQ(failed_calls_cdf(model, 1.0, 3).back(), 0.0);
  EXPECT_EQ(surviving_shares(model, 2.0, 3), (std::vector<double>{1.0, 1.0, 1.0}));
}

TEST(RunModel, RefusesWhatIsNoModel) {
  EXPECT_THROW((void)fit_runs({}, 0.5), BugError);
  EXPECT_THROW((void)failed_calls_cdf({}, -1.0, 2), BugError);
}

TEST(SimpleForm, KeepsErrorFreeEpisodes) {
  EXPECT_EQ(simple_success({.success = true, .errors = 0}, 3.0, 2), 1.0);
  EXPECT_EQ(simple_success({.success = false, .errors = 0}, 3.0, 2), 0.0);
  EXPECT_EQ(simple_success({.success = true, .errors = 2}, 1.5, 2), 0.0);
  EXPECT_NEAR(simple_success({.success = true, .errors = 1}, 2.0, 2), std::exp(-1.0), 1e-15);
  EXPECT_NEAR(simple_success_in_runs({.success = true, .errors = 1}, 2.0, 2, 0.0), std::exp(-1.0),
              1e-15);
}

}  // namespace
}  // namespace unmask::screen
