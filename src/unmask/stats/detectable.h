#pragma once

#include <cstddef>
#include <optional>

#include "unmask/stats/figure.h"

namespace unmask::stats {

/// Smallest effect that a two-sided test at `alpha` finds with 80 % power:
/// se (t_{1-alpha/2} + t_{.80}), n - 1 degrees of freedom. Give alpha = .05 and .05/family size.
/// For a ratio pass the se of its logarithm: exp of the result is the ratio. Empty with fewer than
/// two tasks, or if se is empty or below kSmallestSe. STATISTICS, "Smallest detectable effect".
[[nodiscard]] std::optional<double> smallest_detectable(std::optional<double> se, std::size_t tasks,
                                                        double alpha = 0.05);

/// Tasks that would settle an open condition: n (se t/distance)^2 rounded up, at least 2, t =
/// t_{.95,n-1} (one-sided) unless given. `distance` = from the estimate to the limit that it must
/// stay clear of. Empty if distance is 0, with fewer than two tasks or without se. STATISTICS,
/// "Verdict": inconclusive.
[[nodiscard]] std::optional<std::size_t> tasks_needed(std::optional<double> se, std::size_t tasks,
                                                      double distance,
                                                      std::optional<double> t = std::nullopt);

}  // namespace unmask::stats
