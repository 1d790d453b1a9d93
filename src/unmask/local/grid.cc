#include "unmask/local/grid.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "unmask/base/check.h"

namespace unmask::local {

void round_to_grid(std::span<float> row, std::uint32_t bits) {
  UNMASK_CHECK(bits >= 1 && bits <= 8);
  const auto steps = static_cast<float>((1U << bits) - 1);
  for (std::size_t at = 0; at < row.size(); at += kGridBlock) {
    const std::span<float> run = row.subspan(at, std::min(kGridBlock, row.size() - at));
    if (!std::ranges::all_of(run, [](float weight) { return std::isfinite(weight); })) {
      std::ranges::fill(run, std::numeric_limits<float>::quiet_NaN());
      continue;
    }
    const auto [least, greatest] = std::ranges::minmax(run);
    const float step = (greatest - least) / steps;
    if (step == 0.0F) continue;
    for (float& weight : run) {
      weight = least + step * std::floor((weight - least) / step + 0.5F);
    }
  }
}

}  // namespace unmask::local
