#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace unmask::screen {

/// How errors come in a solved episode (STATISTICS, "Risk screen"): a number of runs of failed
/// calls, each of a geometric length.
struct RunModel {
  double mean = 0.0;            ///< mu: runs an episode, >= 0
  double variance = 0.0;        ///< v, of the sample (n - 1)
  std::optional<double> shape;  ///< kappa of the negative binomial; empty: Poisson (v <= mu)
  double continuation = 0.0;    ///< rho: a failed call is followed by another one; 0 .. 1

  bool operator==(const RunModel&) const = default;
};

/// What a fit needs of some episodes; whole numbers, so that a task can be taken out again exactly.
struct RunSums {
  std::int64_t episodes = 0;      ///< solved ones
  std::int64_t runs = 0;          ///< sum of M
  std::int64_t runs_squared = 0;  ///< sum of M^2

  RunSums& operator+=(const RunSums& other);
  RunSums& operator-=(const RunSums& other);
  bool operator==(const RunSums&) const = default;
};
[[nodiscard]] RunSums run_sums(std::span<const std::uint32_t> runs);

/// mu = mean M, v its sample variance (0 of one episode), kappa = mu^2/(v - mu) if v > mu.
/// Precondition: sums.episodes > 0 and 0 <= continuation <= 1.
[[nodiscard]] RunModel fit_runs(const RunSums& sums, double continuation);

/// F_a(0) .. F_a(last): P(failed calls of an episode <= count) if the mean number of runs is
/// `factor` times the fitted one and their shape and lengths stay,
///   F_a(k) = sum_{j<=k} P(M = j) P(NB(j, 1 - rho) <= k - j),
/// computed by Panjer's recursion (1981) for compound distributions. factor >= 0, last >= 0.
[[nodiscard]] std::vector<double> failed_calls_cdf(const RunModel& model, double factor, int last);

/// [K-1]: F_a(K-1)/F_1(K-1), the share of solved episodes with fewer than K errors that would still
/// have fewer, K = 1 .. last_budget (>= 1); 1 where F_1 is 0.
[[nodiscard]] std::vector<double> surviving_shares(const RunModel& model, double factor,
                                                   int last_budget);

}  // namespace unmask::screen
