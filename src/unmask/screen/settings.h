#pragma once

#include <vector>

namespace unmask::screen {

/// Everything that a screen depends on besides the log.
struct ScreenSettings {
  double near_zero_rate =
      0.01;  ///< a propensity is near zero if its upper bound is below, per call
  /// a: how many times as many errors an episode; each at least 1.
  std::vector<double> factors = {1.5, 2.0, 2.5, 3.0};
  std::vector<int> budgets = {2, 5};  ///< K beside K_obs that get headlines
  double judged_factor = 2.0;         ///< a at which the risk class is decided
  double serious_loss = 0.075;        ///< score lost that counts, as a fraction (7.5 points)
  int shown_budget = 10;              ///< stands for K_obs of an uncensored log

  bool operator==(const ScreenSettings&) const = default;
};

/// The headline budgets below `k_obs`, in rising order, then `k_obs`.
[[nodiscard]] std::vector<int> headline_budgets(const ScreenSettings& settings, int k_obs);

}  // namespace unmask::screen
