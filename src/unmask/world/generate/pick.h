#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/rng.h"

namespace unmask::world::generated {

/// Uniform in 0 .. size-1; `size` from 1 to 2^32-1.
[[nodiscard]] inline std::size_t draw_index(Rng& rng, std::size_t size) {
  return rng.below(static_cast<std::uint32_t>(size));
}

/// One of the elements, each as likely; there must be one.
template <typename Items>
[[nodiscard]] const auto& pick(Rng& rng, const Items& items) {
  return items[draw_index(rng, items.size())];
}

/// Uniform in least .. most, both included.
[[nodiscard]] inline std::int64_t draw_between(Rng& rng, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(rng.below(static_cast<std::uint32_t>(most - least + 1)));
}

/// `a`, `a and b`, `a, b and c`.
[[nodiscard]] std::string listed(const std::vector<std::string>& words);

}  // namespace unmask::world::generated
