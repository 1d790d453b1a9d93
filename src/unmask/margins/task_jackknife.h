#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "unmask/stats/figure.h"

namespace unmask::margins {

/// What values a figure can take, and so which interval fits.
enum class Range : std::uint8_t {
  any,       ///< value +- t SE
  share,     ///< within [0, 1]: Wilson at the effective number of observations
  positive,  ///< exp(ln value +- t SE of ln value)
  unit,      ///< value +- t SE, cut to [0, 1]
  rank,      ///< value +- t SE, cut to [-1, 1]
};

/// `value` with its delete-a-task jackknife interval, t_{n-1}: `left_out[i]` = the figure without
/// task i. STATISTICS, "Differences". Without interval, and with a reason, where there are fewer
/// than two tasks, a left-out figure can't be had or the SE is below 1e-12 (but a share has one).
[[nodiscard]] stats::Figure with_jackknife(double value,
                                           std::span<const std::optional<double>> left_out,
                                           Range range);

}  // namespace unmask::margins
