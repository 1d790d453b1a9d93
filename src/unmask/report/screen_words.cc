#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/screen_report.h"
#include "unmask/report/text_style.h"
#include "unmask/screen/arm_screen.h"
#include "unmask/screen/validation.h"

namespace unmask::text {

Paint paint_of(screen::RiskClass risk) {
  switch (risk) {
    case screen::RiskClass::low:
      return Paint::green;
    case screen::RiskClass::guarded:
      return Paint::yellow;
    case screen::RiskClass::high:
      return Paint::red;
    case screen::RiskClass::unknown:
      return Paint::magenta;
  }
  return Paint::none;
}

std::string factor_words(double factor) {
  std::array<char, 64> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), factor,
                                    std::chars_format::general, 4);
  return {buffer.data(), result.ptr};
}

std::string validation_words(const screen::Validation& validation, const TextStyle& style) {
  if (!validation.reason.empty()) return std::string(glyphs(style).dash) + " " + validation.reason;
  const auto interval = [&](const Figure& figure) {
    return style.verbose ? points_interval(figure) : std::string();
  };
  std::string words = "errors " + ratio_with_interval(validation.factor, style) +
                      " in solved episodes; from this the reference's curve makes";
  std::string_view separator = " ";
  for (const screen::ValidationPoint& point : validation.points) {
    words.append(separator);
    words += points(point.predicted.value.value_or(0.0)) + interval(point.predicted) +
             (separator == " " ? " points lost" : "") + " at K=" + std::to_string(point.k) +
             ", observed " + points(point.observed.value.value_or(0.0)) + interval(point.observed);
    separator = "; ";
    if (point.difference.low && *point.difference.low > 0.0) words += " (more)";
    if (point.difference.high && *point.difference.high < 0.0) words += " (less)";
  }
  return words;
}

}  // namespace unmask::text
