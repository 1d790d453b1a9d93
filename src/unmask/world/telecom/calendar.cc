#include "unmask/world/telecom/calendar.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "unmask/world/text_buffer.h"

namespace unmask::world::telecom {
namespace {

/// Takes `count` digits from the front of `text`; -1 if they are not there.
int take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) {
    return -1;
  }
  int number = 0;
  for (const char digit : text.substr(0, count)) {
    if (digit < '0' || digit > '9') {
      return -1;
    }
    number = number * 10 + (digit - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

int days_in_month(int year, int month) {
  if (month == 2) {
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return leap ? 29 : 28;
  }
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

std::optional<Date> take_date(std::string_view& text) {
  const int year = take_digits(text, 4);
  if (year < 1 || !take(text, '-')) {
    return std::nullopt;
  }
  const int month = take_digits(text, 2);
  if (month < 1 || month > 12 || !take(text, '-')) {
    return std::nullopt;
  }
  const int day = take_digits(text, 2);
  if (day < 1 || day > days_in_month(year, month)) {
    return std::nullopt;
  }
  return Date{static_cast<std::int16_t>(year), static_cast<std::int8_t>(month),
              static_cast<std::int8_t>(day)};
}

/// The fraction of a second after the point: 1 to 6 digits.
std::optional<int> take_microsecond(std::string_view& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > 6) {
    return std::nullopt;
  }
  int microsecond = take_digits(text, digits);
  for (std::size_t at = digits; at < 6; ++at) {
    microsecond *= 10;
  }
  return microsecond;
}

/// Writes `Width` digits, with leading zeros; `number` has no more. Returns the end.
template <std::size_t Width>
char* write_padded(char* at, std::uint32_t number) {
  for (std::size_t left = Width; left > 0; --left) {
    at[left - 1] = static_cast<char>('0' + number % 10);
    number /= 10;
  }
  return at + Width;
}
char* write_two(char* at, int number) {
  return write_padded<2>(at, static_cast<std::uint32_t>(number));
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  const std::optional<DateTime> time = parse_date_time(text);
  if (!time || time->second_of_day != 0 || time->microsecond != 0) {
    return std::nullopt;
  }
  return time->date;
}

std::optional<DateTime> parse_date_time(std::string_view text) {
  const std::optional<Date> date = take_date(text);
  if (!date) {
    return std::nullopt;
  }
  DateTime time{.date = *date};
  if (text.empty()) {
    return time;
  }
  if (!take(text, 'T') && !take(text, ' ')) {
    return std::nullopt;
  }
  const int hour = take_digits(text, 2);
  if (hour < 0 || hour > 23 || !take(text, ':')) {
    return std::nullopt;
  }
  const int minute = take_digits(text, 2);
  if (minute < 0 || minute > 59) {
    return std::nullopt;
  }
  int second = 0;
  if (take(text, ':')) {
    second = take_digits(text, 2);
    if (second < 0 || second > 59) {
      return std::nullopt;
    }
    if (take(text, '.')) {
      const std::optional<int> microsecond = take_microsecond(text);
      if (!microsecond) {
        return std::nullopt;
      }
      time.microsecond = *microsecond;
    }
  }
  if (!text.empty()) {
    return std::nullopt;
  }
  time.second_of_day = (hour * 60 + minute) * 60 + second;
  return time;
}

void append_text(TextBuffer& out, Date date) {
  char* at = out.extend(std::string_view("YYYY-MM-DD").size());
  at = write_padded<4>(at, static_cast<std::uint32_t>(date.year));
  *at++ = '-';
  at = write_two(at, date.month);
  *at++ = '-';
  write_two(at, date.day);
}

void append_text(TextBuffer& out, DateTime time) {
  append_text(out, time.date);
  char* at = out.extend(std::string_view(" HH:MM:SS").size());
  *at++ = ' ';
  at = write_two(at, time.second_of_day / 3600);
  *at++ = ':';
  at = write_two(at, time.second_of_day / 60 % 60);
  *at++ = ':';
  write_two(at, time.second_of_day % 60);
  if (time.microsecond != 0) {
    at = out.extend(std::string_view(".ffffff").size());
    *at++ = '.';
    write_padded<6>(at, static_cast<std::uint32_t>(time.microsecond));
  }
}

}  // namespace unmask::world::telecom
