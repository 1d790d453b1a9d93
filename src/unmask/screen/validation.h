#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unmask/episode/facts.h"
#include "unmask/screen/settings.h"
#include "unmask/stats/figure.h"

namespace unmask::screen {

/// What the reference's what-if curve foretold for an arm, beside what came. Fractions.
struct ValidationPoint {
  int k = 0;
  stats::Figure predicted;   ///< S_ref(k) - S_ref(k|a)
  stats::Figure observed;    ///< S_ref(k) - S_arm(k), the gap
  stats::Figure difference;  ///< observed less predicted

  bool operator==(const ValidationPoint&) const = default;
};

struct Validation {
  std::string reason;  ///< why there are no figures; empty if there are
  std::uint32_t shared_tasks = 0;
  std::uint32_t solved_ref = 0, solved_arm = 0;  ///< episodes
  /// a: counted errors a solved episode, arm over reference; delete-a-task jackknife of ln a.
  stats::Figure factor;
  std::vector<ValidationPoint> points;  ///< headline budgets and k_obs

  bool operator==(const Validation&) const = default;
};

/// The tasks that both arms have: `ref[i]` and `arm[i]` are one, by index into ArmFacts::tasks.
struct SharedTasks {
  std::span<const std::uint32_t> ref, arm;
};

/// Predicted against observed points lost at the headline budgets of `settings` below `k_obs`, and
/// at k_obs, with the arm's observed `a` among solved episodes. All intervals by delete-a-task
/// jackknife, the task taken out of both arms, so that they hold the uncertainty of `a` too.
/// STATISTICS, "Risk screen": validation. Precondition: `tasks` of equal length, k_obs >= 1 and not
/// above either arm's observed budget.
[[nodiscard]] Validation validate(const ArmFacts& ref, const ArmFacts& arm,
                                  const SharedTasks& tasks, int k_obs,
                                  const ScreenSettings& settings = {});

}  // namespace unmask::screen
