#include "unmask/world/telecom/fixed_point.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

#include "unmask/base/check.h"
#include "unmask/world/python_number.h"

namespace unmask::world::telecom {

std::string two_decimals(double value) {
  if (!std::isfinite(value)) {
    return python_float(value);
  }
  std::array<char, 330> text;  // the largest double has 309 digits before the point
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 2);
  UNMASK_CHECK(written.ec == std::errc{});
  return {text.data(), written.ptr};
}

}  // namespace unmask::world::telecom
