#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "unmask/base/rng.h"
#include "unmask/llm/chat.h"

namespace unmask::llm {

struct RetrySettings {
  std::uint32_t retries = 6;                        ///< attempts after the first
  std::chrono::milliseconds first_delay{500};       ///< upper bound of the first wait
  std::chrono::milliseconds longest_delay{30'000};  ///< upper bound of any wait of ours
  /// Longest wait that a server may ask for; more ends the request.
  std::chrono::milliseconds longest_asked_delay{600'000};

  bool operator==(const RetrySettings&) const = default;
};

/// What is known of an attempt that failed.
struct FailedAttempt {
  ChatFault fault = ChatFault::connection;
  bool lasting = false;  ///< the same request can't succeed: a certificate, a used-up quota
  std::optional<std::chrono::milliseconds> asked_delay;  ///< the server's Retry-After
  std::optional<bool> asked_to_retry;                    ///< the server's x-should-retry

  bool operator==(const FailedAttempt&) const = default;
};

/// 408, 409, 425, 429 and 5xx.
[[nodiscard]] bool is_retried(int status);

/// How long to wait before the next attempt; nullopt: give up. Connection faults and server faults
/// are tried again, nothing else: what was answered is never asked for twice. The wait is drawn
/// uniformly up to a bound that doubles with each attempt ("full jitter": Brooker, AWS Architecture
/// Blog 2015); a server's own wish comes first, with up to `first_delay` on top so that those it
/// sent away don't return all at once.
/// `attempts`: made so far, >= 1. `time_left`: until the deadline; a wait beyond it gives up.
[[nodiscard]] std::optional<std::chrono::milliseconds> next_delay(
    const RetrySettings& settings, const FailedAttempt& failed, std::uint32_t attempts,
    std::chrono::milliseconds time_left, Rng& rng);

/// `Retry-After` (RFC 9110, 10.2.3): seconds, fractions allowed, or a date, from which `now` is
/// subtracted; a past date is 0. nullopt for anything else.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_retry_after(
    std::string_view value, std::chrono::sys_seconds now);

/// The preferred form of a date in HTTP headers, `Sun, 06 Nov 1994 08:49:37 GMT`; nullopt for
/// another. The day's name is not checked.
[[nodiscard]] std::optional<std::chrono::sys_seconds> parse_http_date(std::string_view value);

}  // namespace unmask::llm
