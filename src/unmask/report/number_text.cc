#include "unmask/report/number_text.h"

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
#include "unmask/base/twelve_digits.h"

namespace unmask::text {

namespace {

// The twelve digits that JSON keeps, so that a figure reads the same from a document as from the
// audit that wrote it; and a hair away from zero, so that halves are rounded up as people do.
double settled(double value) {
  const double rounded = twelve_digits(value);
  constexpr double kHair = 1e-14;
  return std::isfinite(rounded * (1.0 + kHair)) ? rounded * (1.0 + kHair) : rounded;
}

}  // namespace

std::string fixed(double value, int decimals) {
  UNMASK_CHECK(std::isfinite(value));
  value = settled(value);
  std::array<char, 400> buffer{};  // the largest double has 309 digits before the point
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::fixed, decimals);
  UNMASK_CHECK(end.ec == std::errc{});
  std::string text(buffer.data(), end.ptr);
  if (text.front() == '-' && text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t i = text.size(); i > 3;) {
    i -= 3;
    text.insert(i, 1, ',');
  }
  return text;
}

std::string points(double fraction) { return fixed(100.0 * fraction, 1); }

std::string percent(double fraction) {
  if (fraction == 0.0) return "0";
  // 0.995 % prints as 1.0, not as 0.99 or 1.00.
  return fixed(100.0 * fraction, std::abs(fraction) >= 0.00995 ? 1 : 2);
}

std::string percent_aligned(double fraction) {
  if (fraction == 0.0) return "0   ";
  return std::abs(fraction) >= 0.00995 ? percent(fraction) + " " : percent(fraction);
}

int ratio_decimals(double ratio) {
  if (ratio >= 99.5) return 0;
  return ratio >= 1.995 ? 1 : 2;
}

std::string ratio(double value) { return fixed(value, ratio_decimals(value)); }

std::string p_value(std::optional<double> p) {
  if (!p) return {};
  if (*p < 0.001) return "p < 0.001";
  return "p " + fixed(*p, *p < 0.0995 ? 3 : 2);
}

std::string_view stars(std::optional<double> p_adjusted) {
  if (!p_adjusted || *p_adjusted >= 0.05) return "";
  if (*p_adjusted < 0.001) return "***";
  return *p_adjusted < 0.01 ? "**" : "*";
}

std::string ordinal(int number) {
  const int last_two = number % 100;
  const char* ending = "th";
  if (last_two < 11 || last_two > 13) {
    if (number % 10 == 1) ending = "st";
    if (number % 10 == 2) ending = "nd";
    if (number % 10 == 3) ending = "rd";
  }
  return std::to_string(number) + ending;
}

}  // namespace unmask::text
