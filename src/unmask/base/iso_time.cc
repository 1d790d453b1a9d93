#include "unmask/base/iso_time.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace unmask {
namespace {

void append_padded(std::string& out, std::int64_t value, std::size_t digits) {
  const std::string text = std::to_string(value);
  if (text.size() < digits) out.append(digits - text.size(), '0');
  out += text;
}

/// `digits` digits at `place`.
std::optional<int> number_at(std::string_view text, std::size_t place, std::size_t digits) {
  if (text.size() < place + digits) return std::nullopt;
  int value = 0;
  const char* const end = text.data() + place + digits;
  const auto [stop, error] = std::from_chars(text.data() + place, end, value);
  if (error != std::errc() || stop != end || value < 0) return std::nullopt;
  return value;
}

}  // namespace

std::string iso_time(std::int64_t time_us) {
  using std::chrono::floor;
  const std::chrono::sys_time<std::chrono::microseconds> time{std::chrono::microseconds(time_us)};
  const auto day = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::string text;
  append_padded(text, static_cast<int>(date.year()), 4);
  text += '-';
  append_padded(text, static_cast<unsigned>(date.month()), 2);
  text += '-';
  append_padded(text, static_cast<unsigned>(date.day()), 2);
  text += 'T';
  append_padded(text, clock.hours().count(), 2);
  text += ':';
  append_padded(text, clock.minutes().count(), 2);
  text += ':';
  append_padded(text, clock.seconds().count(), 2);
  if (const std::int64_t fraction = clock.subseconds().count(); fraction != 0) {
    text += '.';
    append_padded(text, fraction, 6);
  }
  return text;
}

std::optional<std::int64_t> time_of_iso(std::string_view text) {
  constexpr std::array<std::size_t, 5> kPlaces = {5, 8, 11, 14, 17};
  std::array<int, 5> parts{};
  const std::optional<int> year = number_at(text, 0, 4);
  if (!year) return std::nullopt;
  for (std::size_t i = 0; i < kPlaces.size(); ++i) {
    const std::optional<int> part = number_at(text, kPlaces[i], 2);
    if (!part) return std::nullopt;
    parts[i] = *part;
  }
  const std::optional<int> fraction = text.size() == 19 ? std::optional(0) : number_at(text, 20, 6);
  if (!fraction || (text.size() != 19 && text.size() != 26)) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(parts[0])),
                                         std::chrono::day(static_cast<unsigned>(parts[1]))};
  if (!date.ok()) return std::nullopt;
  const std::chrono::microseconds time =
      std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(parts[2]) +
      std::chrono::minutes(parts[3]) + std::chrono::seconds(parts[4]) +
      std::chrono::microseconds(*fraction);
  return time.count();
}

}  // namespace unmask
