#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace unmask::local {

/// Weights that share a grid, as in q4_1.
inline constexpr std::size_t kGridBlock = 32;

/// Rounds each run of kGridBlock weights of a row to 2^bits equally spaced values, from the run's
/// least to its greatest; a shorter run at the end has its own. Halves go to the greater value.
/// Precondition: 1 <= bits <= 8. What is not finite makes its whole run NaN.
void round_to_grid(std::span<float> row, std::uint32_t bits);

}  // namespace unmask::local
