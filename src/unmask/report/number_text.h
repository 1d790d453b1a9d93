#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Numbers for people: decimal point, no locale. What is not finite has no text and must not come
/// here (Figures are finite or empty).
namespace unmask::text {

/// `value` with `decimals` digits after the point; never "-0.0".
[[nodiscard]] std::string fixed(double value, int decimals);
/// 1646 -> "1,646".
[[nodiscard]] std::string grouped(std::uint64_t count);
/// A fraction in points (hundredths), one decimal: 0.167 -> "16.7".
[[nodiscard]] std::string points(double fraction);
/// A fraction in per cent, without the sign: one decimal from 1 % on, two below, "0" for none.
[[nodiscard]] std::string percent(double fraction);
/// percent() with its decimal point in a fixed place when right-aligned.
[[nodiscard]] std::string percent_aligned(double fraction);
/// Decimals for a ratio and its interval: two below 2, where 1.25 matters; one below 100.
[[nodiscard]] int ratio_decimals(double ratio);
[[nodiscard]] std::string ratio(double value);
/// "p 0.004", "p < 0.001"; empty without p.
[[nodiscard]] std::string p_value(std::optional<double> p);
/// "***" below 0.001, "**" below 0.01, "*" below 0.05, else empty.
[[nodiscard]] std::string_view stars(std::optional<double> p_adjusted);
/// "1st", "2nd", "11th"; number >= 0.
[[nodiscard]] std::string ordinal(int number);

}  // namespace unmask::text
