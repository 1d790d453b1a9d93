#include "unmask/llm/retry_policy.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/rng.h"
#include "unmask/llm/chat.h"

namespace unmask::llm {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

TEST(RetryPolicy, Statuses) {
  for (const int status : {408, 409, 425, 429, 500, 502, 503, 504, 529, 599}) {
    EXPECT_TRUE(is_retried(status)) << status;
  }
  for (const int status : {0, 100, 200, 204, 301, 400, 401, 403, 404, 413, 422, 499, 600}) {
    EXPECT_FALSE(is_retried(status)) << status;
  }
}

TEST(RetryPolicy, WhatIsTriedAgain) {
  struct Row {
    FailedAttempt failed;
    bool again;
  };
  const std::vector<Row> rows = {
      {{ChatFault::connection, false, {}, {}}, true},
      {{ChatFault::connection, true, {}, {}}, false},
      {{ChatFault::server, false, {}, {}}, true},
      {{ChatFault::server, false, {}, false}, false},
      {{ChatFault::server, false, {}, true}, true},
      {{ChatFault::server, false, 5s, {}}, true},
      {{ChatFault::server, false, 601s, {}}, false},
      {{ChatFault::timed_out, false, {}, {}}, false},
      {{ChatFault::refused, false, {}, true}, false},
      {{ChatFault::context_overflow, false, {}, {}}, false},
      {{ChatFault::undecodable, false, {}, {}}, false},
      {{ChatFault::cancelled, false, {}, {}}, false},
  };
  for (const Row& row : rows) {
    Rng rng(1, "retry");
    EXPECT_EQ(next_delay({}, row.failed, 1, 1h, rng).has_value(), row.again)
        << name_of(row.failed.fault);
  }
}

TEST(RetryPolicy, WaitsDoubleUpToTheBound) {
  const RetrySettings settings{100, 500ms, 30s, 600s};
  const FailedAttempt failed{ChatFault::server, false, {}, {}};
  Rng rng(7, "retry");
  for (std::uint32_t attempts = 1; attempts <= 100; ++attempts) {
    const milliseconds bound =
        attempts > 6 ? milliseconds(30s) : milliseconds(500) * (1 << (attempts - 1));
    milliseconds longest{0};
    for (int i = 0; i < 200; ++i) {
      const std::optional<milliseconds> delay = next_delay(settings, failed, attempts, 1h, rng);
      ASSERT_TRUE(delay);
      EXPECT_GE(*delay, 0ms);
      EXPECT_LT(*delay, bound);
      longest = std::max(longest, *delay);
    }
    EXPECT_GT(longest, bound * 3 / 4);
  }
  EXPECT_EQ(next_delay(settings, failed, 101, 1h, rng), std::nullopt);
}

TEST(RetryPolicy, AServersWishComesFirst) {
  const RetrySettings settings{3, 500ms, 1s, 60s};
  Rng rng(7, "retry");
  const FailedAttempt failed{ChatFault::server, false, 20s, {}};
  for (int i = 0; i < 100; ++i) {
    const std::optional<milliseconds> delay = next_delay(settings, failed, 1, 1h, rng);
    ASSERT_TRUE(delay);
    EXPECT_GE(*delay, 20s);
    EXPECT_LT(*delay, 20500ms);
  }
  EXPECT_EQ(next_delay(settings, failed, 1, 20s, rng), std::nullopt);
}

TEST(RetryPolicy, DeadlinesAndExtremes) {
  const FailedAttempt failed{ChatFault::connection, false, {}, {}};
  Rng rng(7, "retry");
  EXPECT_EQ(next_delay({}, failed, 1, 0ms, rng), std::nullopt);
  EXPECT_EQ(next_delay({}, failed, 1, -5ms, rng), std::nullopt);
  const RetrySettings none{0, 500ms, 1s, 60s};
  EXPECT_EQ(next_delay(none, failed, 1, 1h, rng), std::nullopt);
  const RetrySettings at_once{4'000'000'000U, 0ms, 0ms, 60s};
  EXPECT_EQ(next_delay(at_once, failed, 3'999'999'999U, 1ms, rng), 0ms);
}

TEST(RetryPolicy, SameSeedSameWaits) {
  const FailedAttempt failed{ChatFault::server, false, {}, {}};
  Rng first(3, "retry", 9);
  Rng second(3, "retry", 9);
  for (std::uint32_t i = 1; i < 6; ++i) {
    EXPECT_EQ(next_delay({}, failed, i, 1h, first), next_delay({}, failed, i, 1h, second));
  }
}

TEST(RetryPolicy, RetryAfter) {
  const std::chrono::sys_seconds now{std::chrono::sys_days{std::chrono::year{2026} / 11 / 30}};
  struct Row {
    std::string value;
    std::optional<milliseconds> delay;
  };
  const std::vector<Row> rows = {
      {"0", 0ms},
      {"20", 20s},
      {"1.5", 1500ms},
      {"1e9", milliseconds(1'000'000'000'000)},
      {"1e10", std::nullopt},
      {"-1", std::nullopt},
      {"nan", std::nullopt},
      {"inf", std::nullopt},
      {"", std::nullopt},
      {"20 s", std::nullopt},
      {"soon", std::nullopt},
      {"Mon, 30 Nov 2026 00:01:30 GMT", 90s},
      {"Sun, 29 Nov 2026 23:59:59 GMT", 0ms},
      {"Mon, 30 Nov 2026 00:01:30 CET", std::nullopt},
      {"Mon, 31 Nov 2026 00:01:30 GMT", std::nullopt},
      {"Mon, 30 Nuv 2026 00:01:30 GMT", std::nullopt},
      {"Mon, 30 Nov 2026 24:01:30 GMT", std::nullopt},
      {"Mon, 3  Nov 2026 00:01:30 GMT", std::nullopt},
  };
  for (const Row& row : rows) EXPECT_EQ(parse_retry_after(row.value, now), row.delay) << row.value;
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"),
            std::chrono::sys_seconds(std::chrono::seconds(784111777)));
}

}  // namespace
}  // namespace unmask::llm
