#include "unmask/stats/special.h"

#include <cmath>
#include <cstdint>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include "unmask/base/check.h"

namespace unmask::stats {

namespace bm = boost::math;

// Boost throws on arguments outside a function's domain; the checks keep them away from it.

double t_quantile(double p, double df) {
  UNMASK_CHECK(p > 0.0 && p < 1.0 && df > 0.0);
  return bm::quantile(bm::students_t(df), p);
}

double t_cdf(double t, double df) {
  UNMASK_CHECK(std::isfinite(t) && df > 0.0);
  return bm::cdf(bm::students_t(df), t);
}

double t_upper_tail(double t, double df) {
  UNMASK_CHECK(std::isfinite(t) && df > 0.0);
  return bm::cdf(bm::complement(bm::students_t(df), t));
}

double normal_cdf(double z) {
  UNMASK_CHECK(!std::isnan(z));
  return bm::cdf(bm::normal(), z);
}

double normal_quantile(double p) {
  UNMASK_CHECK(p > 0.0 && p < 1.0);
  return bm::quantile(bm::normal(), p);
}

double beta_quantile(double p, double a, double b) {
  UNMASK_CHECK(p >= 0.0 && p <= 1.0 && a > 0.0 && b > 0.0);
  return bm::quantile(bm::beta_distribution<>(a, b), p);
}

double beta_cdf(double x, double a, double b) {
  UNMASK_CHECK(x >= 0.0 && x <= 1.0 && a > 0.0 && b > 0.0);
  return bm::cdf(bm::beta_distribution<>(a, b), x);
}

double binomial_cdf(std::int64_t successes, std::int64_t trials, double probability) {
  UNMASK_CHECK(trials >= 0 && probability >= 0.0 && probability <= 1.0);
  if (successes < 0) return 0.0;
  if (successes >= trials) return 1.0;
  const bm::binomial distribution(static_cast<double>(trials), probability);
  return bm::cdf(distribution, static_cast<double>(successes));
}

double poisson_cdf(std::int64_t count, double mean) {
  UNMASK_CHECK(std::isfinite(mean) && mean >= 0.0);
  if (count < 0) return 0.0;
  if (mean == 0.0) return 1.0;
  return bm::cdf(bm::poisson(mean), static_cast<double>(count));
}

double polya_aeppli_cdf(std::int64_t count, double mean, double rho) {
  UNMASK_CHECK(std::isfinite(mean) && mean >= 0.0 && rho >= 0.0 && rho < 1.0);
  if (count < 0) return 0.0;
  // j runs of total length <= count: the failures before the j-th stop of a run number at most
  // count - j, negative binomial, which equals P(Bin(count, 1 - rho) >= j).
  double sum = std::exp(-mean);
  double runs = sum;  // P(M = j)
  for (std::int64_t j = 1; j <= count; ++j) {
    runs *= mean / static_cast<double>(j);
    sum += runs * (1.0 - binomial_cdf(j - 1, count, 1.0 - rho));
  }
  return std::fmin(sum, 1.0);
}

double ln_choose(double items, double chosen) {
  UNMASK_CHECK(chosen >= 0.0 && chosen <= items);
  return bm::lgamma(items + 1.0) - bm::lgamma(chosen + 1.0) - bm::lgamma(items - chosen + 1.0);
}

}  // namespace unmask::stats
