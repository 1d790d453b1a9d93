#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

#include "unmask/world/text_buffer.h"

namespace unmask::world::telecom {

/// A day of the Gregorian calendar, years 1 to 9999.
struct Date {
  std::int16_t year = 1;
  std::int8_t month = 1;
  std::int8_t day = 1;

  auto operator<=>(const Date&) const = default;
};

/// A time without a zone.
struct DateTime {
  Date date;
  std::int32_t second_of_day = 0;
  std::int32_t microsecond = 0;

  auto operator<=>(const DateTime&) const = default;
};

/// `YYYY-MM-DD`, or a DateTime at midnight in parse_date_time's form; nullopt for anything else.
[[nodiscard]] std::optional<Date> parse_date(std::string_view text);

/// `YYYY-MM-DD`, then optionally `T` or a space and `HH:MM[:SS[.ffffff]]`; nullopt for anything
/// else, zones included.
[[nodiscard]] std::optional<DateTime> parse_date_time(std::string_view text);

/// Appends `YYYY-MM-DD`.
void append_text(TextBuffer& out, Date date);

/// Appends `YYYY-MM-DD HH:MM:SS`, with `.ffffff` if there are microseconds.
void append_text(TextBuffer& out, DateTime time);

}  // namespace unmask::world::telecom
