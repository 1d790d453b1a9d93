#pragma once

#include <cstdint>

namespace unmask::stats {

// Distribution functions (Boost.Math behind plain functions). All are pure and thread-safe. An
// argument outside the stated range is a bug of the caller (BugError).

/// Quantile of Student's t; 0 < p < 1, df > 0 (need not be whole).
[[nodiscard]] double t_quantile(double p, double df);
/// P(T <= t); df > 0.
[[nodiscard]] double t_cdf(double t, double df);
/// P(T > t) without cancellation in the tail; df > 0.
[[nodiscard]] double t_upper_tail(double t, double df);

/// P(Z <= z).
[[nodiscard]] double normal_cdf(double z);
/// Quantile of the standard normal; 0 < p < 1.
[[nodiscard]] double normal_quantile(double p);

/// Quantile of Beta(a, b); 0 <= p <= 1, a > 0, b > 0.
[[nodiscard]] double beta_quantile(double p, double a, double b);
/// P(X <= x) for X ~ Beta(a, b), the regularised incomplete beta function; 0 <= x <= 1.
[[nodiscard]] double beta_cdf(double x, double a, double b);

/// P(X <= successes) for X ~ Binomial(trials, probability); 0 if successes < 0, 1 if >= trials.
[[nodiscard]] double binomial_cdf(std::int64_t successes, std::int64_t trials, double probability);
/// P(X <= count) for X ~ Poisson(mean), mean >= 0; 0 if count < 0.
[[nodiscard]] double poisson_cdf(std::int64_t count, double mean);
/// P(X <= count) for a Poisson(mean) number of runs, each of a geometric length L >= 1 with
/// P(L = l) = (1 - rho) rho^(l-1); 0 <= rho < 1. (Polya-Aeppli; Johnson, Kotz and Kemp, Univariate
/// Discrete Distributions, 9.7.)
[[nodiscard]] double polya_aeppli_cdf(std::int64_t count, double mean, double rho);

/// ln of the binomial coefficient; 0 <= chosen <= items.
[[nodiscard]] double ln_choose(double items, double chosen);

}  // namespace unmask::stats
