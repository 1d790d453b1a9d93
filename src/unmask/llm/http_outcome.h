#pragma once

#include <chrono>

#include "unmask/llm/chat.h"
#include "unmask/llm/endpoint.h"
#include "unmask/llm/retry_policy.h"
#include "unmask/net/http_message.h"

namespace unmask::llm {

/// What one attempt came to, and, where it failed, what bears on another.
struct Outcome {
  ChatResult result;     ///< attempts left 1
  FailedAttempt failed;  ///< of a failure
};

/// Reads the outcome of a request to `endpoint`. Its key is redacted in all texts. `now`: for dates
/// in Retry-After, where the response has no Date of its own.
[[nodiscard]] Outcome outcome_of(net::HttpResult result, const Endpoint& endpoint,
                                 std::chrono::sys_seconds now);

}  // namespace unmask::llm
