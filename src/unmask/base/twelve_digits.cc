#include "unmask/base/twelve_digits.h"

#include <array>
#include <charconv>
#include <cmath>

namespace unmask {

double twelve_digits(double value) {
  if (!std::isfinite(value)) return value;
  std::array<char, 32> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                     std::chars_format::general, 12);
  double rounded = 0.0;
  std::from_chars(digits.data(), written.ptr, rounded);
  return rounded == 0.0 ? 0.0 : rounded;
}

}  // namespace unmask
