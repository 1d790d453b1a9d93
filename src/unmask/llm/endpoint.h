#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "unmask/base/error.h"
#include "unmask/llm/retry_policy.h"
#include "unmask/llm/secret.h"

namespace unmask::llm {

/// Where a model is asked, and how. The fields after `api_key` are not secret and identify the arm.
struct Endpoint {
  std::string base_url;  ///< `http://localhost:8000/v1`; `/chat/completions` is put behind its path
  std::string model;     ///< empty: left out, for servers of a single model
  Secret api_key;        ///< sent as a bearer token; empty: none is sent
  std::string extra_body;  ///< a JSON object whose members are added to each request and replace
                           ///< what stands there; empty: none
  std::optional<double> temperature;        ///< unset: the server's
  std::optional<std::uint32_t> max_tokens;  ///< of an answer; unset: the server's
  std::uint32_t top_logprobs = 20;  ///< alternatives a token, where log-probabilities are asked for
  bool streaming = false;           ///< keeps proxies from giving up on long answers

  std::uint32_t max_concurrency = 8;              ///< requests at once; further ones wait in line
  std::chrono::milliseconds timeout{600'000};     ///< of one attempt, connection to last byte
  std::chrono::milliseconds deadline{3'600'000};  ///< of all attempts and waits between them
  RetrySettings retry;
};

/// Errors: invalid_argument, naming the setting, for a URL that can't be used, a key with
/// characters that no header may have, an extra body that is no JSON object, a temperature that is
/// negative or not finite, no concurrency, no time.
[[nodiscard]] Result<void> check(const Endpoint& endpoint);

/// URL of its chat completions, a query of the base URL kept at the end.
[[nodiscard]] std::string completions_url(const Endpoint& endpoint);

/// URL of the list of its models, likewise.
[[nodiscard]] std::string models_url(const Endpoint& endpoint);

/// The endpoint for messages: its URL without query.
[[nodiscard]] std::string shown(const Endpoint& endpoint);

}  // namespace unmask::llm
