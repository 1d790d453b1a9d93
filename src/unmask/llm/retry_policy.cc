#include "unmask/llm/retry_policy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

#include "unmask/base/rng.h"
#include "unmask/llm/chat.h"

namespace unmask::llm {
namespace {

using std::chrono::milliseconds;

/// Doublings after which any first delay is beyond any longest one.
constexpr std::uint32_t kMostDoublings = 20;

milliseconds drawn_below(milliseconds bound, Rng& rng) {
  const double drawn =
      rng.uniform() * static_cast<double>(std::max(bound, milliseconds(0)).count());
  return milliseconds(static_cast<milliseconds::rep>(drawn));
}

std::optional<unsigned> digits(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

bool is_retried(int status) {
  return status == 408 || status == 409 || status == 425 || status == 429 ||
         (status >= 500 && status <= 599);
}

std::optional<milliseconds> next_delay(const RetrySettings& settings, const FailedAttempt& failed,
                                       std::uint32_t attempts, milliseconds time_left, Rng& rng) {
  const bool worth_it =
      (failed.fault == ChatFault::connection || failed.fault == ChatFault::server) &&
      !failed.lasting && failed.asked_to_retry.value_or(true);
  if (!worth_it || attempts > settings.retries) return std::nullopt;
  milliseconds delay{0};
  if (failed.asked_delay) {
    if (*failed.asked_delay > settings.longest_asked_delay) return std::nullopt;
    delay = *failed.asked_delay + drawn_below(settings.first_delay, rng);
  } else {
    const auto doubled = settings.first_delay * (1LL << std::min(attempts - 1, kMostDoublings));
    delay = drawn_below(std::min<milliseconds>(doubled, settings.longest_delay), rng);
  }
  if (delay >= time_left) return std::nullopt;
  return delay;
}

std::optional<std::chrono::sys_seconds> parse_http_date(std::string_view value) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (value.size() != 29 || value.substr(3, 2) != ", " || value.substr(25) != " GMT" ||
      value[7] != ' ' || value[11] != ' ' || value[16] != ' ' || value[19] != ':' ||
      value[22] != ':') {
    return std::nullopt;
  }
  const auto month = std::ranges::find(kMonths, value.substr(8, 3));
  const std::optional<unsigned> day = digits(value.substr(5, 2));
  const std::optional<unsigned> year = digits(value.substr(12, 4));
  const std::optional<unsigned> hour = digits(value.substr(17, 2));
  const std::optional<unsigned> minute = digits(value.substr(20, 2));
  const std::optional<unsigned> second = digits(value.substr(23, 2));
  if (month == kMonths.end() || !day || !year || !hour || !minute || !second || *hour > 23 ||
      *minute > 59 || *second > 60) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{
      std::chrono::year(static_cast<int>(*year)),
      std::chrono::month(static_cast<unsigned>(month - kMonths.begin()) + 1),
      std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
         std::chrono::seconds(*second);
}

std::optional<milliseconds> parse_retry_after(std::string_view value,
                                              std::chrono::sys_seconds now) {
  constexpr double kMostSeconds = 1e9;
  double seconds = 0.0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error == std::errc{} && end == value.data() + value.size()) {
    if (!(seconds >= 0.0 && seconds <= kMostSeconds)) return std::nullopt;
    return milliseconds(static_cast<milliseconds::rep>(seconds * 1000.0));
  }
  const std::optional<std::chrono::sys_seconds> date = parse_http_date(value);
  if (!date) return std::nullopt;
  return std::max<milliseconds>(*date - now, milliseconds(0));
}

}  // namespace unmask::llm
