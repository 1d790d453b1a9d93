#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "unmask/margins/findings.h"

namespace unmask::margins {

/// A decision as the side test sees it.
struct SideTestRow {
  std::size_t task = 0;   ///< 0 .. tasks-1
  double thinness = 0.0;  ///< -|m_ref|
  double divergence = 0.0;
  bool flipped = false;
  std::optional<double> mass_rise;

  bool operator==(const SideTestRow&) const = default;
};

/// Areas under the curve of both, of flips either way, and Spearman's coefficient of each with the
/// rise in inadmissible mass; delete-a-task jackknife intervals.
[[nodiscard]] SideTest side_test(const std::vector<SideTestRow>& rows, std::size_t tasks);

}  // namespace unmask::margins
