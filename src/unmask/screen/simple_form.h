#pragma once

namespace unmask::screen {

/// What one episode brings to the simple forms.
struct EpisodeErrors {
  bool success = false;
  int errors = 0;  ///< E: those that count towards the budget

  bool operator==(const EpisodeErrors&) const = default;
};

/// P(the episode still succeeds within `budget` if its errors were `factor` times as many), extra
/// errors one by one: y P(Poisson((a-1)E) < K - E). STATISTICS, "Risk screen": a lower bound of
/// what is lost at small K, because an episode without an error stays without. Precondition:
/// factor >= 1.
[[nodiscard]] double simple_success(const EpisodeErrors& episode, double factor, int budget);

/// The same with the extra errors in runs of geometric length (a Polya-Aeppli number of them, of
/// mean (a-1)E(1-rho) runs). 0 <= continuation < 1.
[[nodiscard]] double simple_success_in_runs(const EpisodeErrors& episode, double factor, int budget,
                                            double continuation);

}  // namespace unmask::screen
