#pragma once

#include <cstdint>
#include <string>

namespace unmask::world::generated {

/// Money in cents, so that sums are exact.
using Cents = std::int64_t;

/// The double nearest to an amount, which is what a reader makes of its decimal digits.
[[nodiscard]] inline double dollars(Cents amount) { return static_cast<double>(amount) / 100.0; }

/// `12.5`, `46.0`, `0.07`: an amount (>= 0) as Python prints its float.
[[nodiscard]] std::string amount_digits(Cents amount);

/// `$12.50`: an amount (>= 0) as people write it.
[[nodiscard]] std::string amount_text(Cents amount);

}  // namespace unmask::world::generated
