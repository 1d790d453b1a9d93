#include "unmask/world/python_number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

#include "unmask/base/check.h"

namespace unmask::world {

void append_python_float(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "nan";
    return;
  }
  if (std::isinf(value)) {
    out += value < 0 ? "-inf" : "inf";
    return;
  }
  // d.ddde±dd: sign, 17 digits, point, exponent of up to three digits.
  std::array<char, 32> buffer;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                     std::chars_format::scientific);
  UNMASK_CHECK(written.ec == std::errc{});
  std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));
  if (text.front() == '-') {
    out += '-';
    text.remove_prefix(1);
  }
  const std::size_t mark = text.find('e');
  int exponent = 0;
  const char* digits_of_exponent = text.data() + mark + 1;
  if (*digits_of_exponent == '+') ++digits_of_exponent;
  std::from_chars(digits_of_exponent, text.data() + text.size(), exponent);
  const char first = text.front();
  const std::string_view fraction = mark > 2 ? text.substr(2, mark - 2) : std::string_view{};

  if (exponent < -4 || exponent >= 16) {
    out += first;
    if (!fraction.empty()) {
      out += '.';
      out += fraction;
    }
    out += exponent < 0 ? "e-" : "e+";
    const int magnitude = exponent < 0 ? -exponent : exponent;
    if (magnitude < 10) out += '0';
    out += std::to_string(magnitude);
    return;
  }
  if (exponent < 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-exponent - 1), '0');
    out += first;
    out += fraction;
    return;
  }
  const auto whole = static_cast<std::size_t>(exponent);
  out += first;
  if (fraction.size() <= whole) {
    out += fraction;
    out.append(whole - fraction.size(), '0');
    out += ".0";
  } else {
    out += fraction.substr(0, whole);
    out += '.';
    out += fraction.substr(whole);
  }
}

std::string python_float(double value) {
  std::string out;
  append_python_float(out, value);
  return out;
}

double round2(double value) {
  if (!std::isfinite(value)) return value;
  // Two exact decimals of any double: 309 digits, sign, point. to_chars rounds the exact binary
  // value, ties to even, as printf does.
  std::array<char, 320> buffer;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                     std::chars_format::fixed, 2);
  UNMASK_CHECK(written.ec == std::errc{});
  double rounded = 0;
  const auto read = std::from_chars(buffer.data(), written.ptr, rounded);
  if (read.ec == std::errc::result_out_of_range)
    return value;  // Not below DBL_MAX's neighbourhood.
  return rounded;
}

}  // namespace unmask::world
