#include "unmask/world/python_number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "unmask/base/check.h"
#include "unmask/world/text_buffer.h"

namespace unmask::world {
namespace {

/// The whole number nearest to the exact `value` * 100, with the sign of `value`; nullopt where
/// that takes more than the product of doubles, which is off by less than 0.001 here, to tell.
std::optional<double> nearest_cents(double value) {
  if (!(std::fabs(value) < 1e10)) return std::nullopt;
  const double product = value * 100;
  const double cents = std::rint(product);
  if (!(std::fabs(product - cents) < 0.499)) return std::nullopt;
  return cents;
}

/// Sign, 13 digits, point, two digits; as long as what TextBuffer copies in line, or else GCC warns
/// of a longer copy that cannot be.
constexpr std::size_t kDecimalBytes = 33;

/// Writes a number of hundredths, below 1e15, with two decimals or the one that is needed; returns
/// the end. There is room for kDecimalBytes.
char* write_decimal(char* at, bool negative, std::uint64_t magnitude, bool two) {
  if (negative) *at++ = '-';
  const std::uint64_t whole = magnitude / 100;
  if (whole < 10) {
    *at++ = static_cast<char>('0' + whole);
  } else {
    at = std::to_chars(at, at + kDecimalBytes - 4, whole).ptr;
  }
  const auto fraction = static_cast<unsigned>(magnitude - 100 * whole);
  *at++ = '.';
  *at++ = static_cast<char>('0' + fraction / 10);
  if (two || fraction % 10 != 0) *at++ = static_cast<char>('0' + fraction % 10);
  return at;
}

void append_decimal(std::string& out, bool negative, std::uint64_t magnitude, bool two) {
  std::array<char, kDecimalBytes> buffer;
  out.append(buffer.data(), write_decimal(buffer.data(), negative, magnitude, two));
}

void append_decimal(TextBuffer& out, bool negative, std::uint64_t magnitude, bool two) {
  char* const begin = out.extend(kDecimalBytes);
  const char* const end = write_decimal(begin, negative, magnitude, two);
  out.remove_last(kDecimalBytes - static_cast<std::size_t>(end - begin));
}

/// Appends a value of at most two decimal places, as amounts of money are; false for any other.
/// Both decimals have at most 15 digits, of which doubles tell all apart: if c / 100 is `value`, no
/// shorter text is.
/// `two`: with both decimals, whether needed or not.
template <typename Out>
bool append_cents(Out& out, double value, bool two = false) {
  constexpr double kLimit = 1e13;
  const double size = std::fabs(value);
  if (!(size < kLimit)) return false;
  // Rounded by truncation, in line; if it is off by one at a half, no cents are `value` anyway.
  // NOLINTNEXTLINE(bugprone-incorrect-roundings)
  const auto cents = static_cast<std::int64_t>(size * 100 + 0.5);
  if (static_cast<double>(cents) / 100 != size) return false;
  append_decimal(out, std::signbit(value), static_cast<std::uint64_t>(cents), two);
  return true;
}

}  // namespace

void append_python_float(std::string& out, double value) {
  if (append_cents(out, value)) return;
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

void append_python_float(TextBuffer& out, double value) {
  if (!append_cents(out, value)) out += std::string_view(python_float(value));
}

std::string python_float(double value) {
  std::string out;
  append_python_float(out, value);
  return out;
}

double round2(double value) {
  if (const auto cents = nearest_cents(value)) return *cents / 100;
  if (!std::isfinite(value)) return value;
  const std::string text = two_decimals(value);
  double rounded = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), rounded);
  // Not below the largest double's neighbourhood.
  return read.ec == std::errc::result_out_of_range ? value : rounded;
}

void append_two_decimals(TextBuffer& out, double value) {
  if (!append_cents(out, value, true)) out += std::string_view(two_decimals(value));
}

std::string two_decimals(double value) {
  if (const auto cents = nearest_cents(value)) {
    std::string text;
    append_decimal(text, std::signbit(*cents), static_cast<std::uint64_t>(std::fabs(*cents)), true);
    return text;
  }
  if (!std::isfinite(value)) return python_float(value);
  // 309 digits before the point at most. to_chars rounds the exact binary value, ties to even, as
  // printf does.
  std::array<char, 320> buffer;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                     std::chars_format::fixed, 2);
  UNMASK_CHECK(written.ec == std::errc{});
  return {buffer.data(), written.ptr};
}

}  // namespace unmask::world
