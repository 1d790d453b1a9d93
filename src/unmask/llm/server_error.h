#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "unmask/json/value.h"
#include "unmask/llm/chat.h"

namespace unmask::llm {

/// What a server says of an error.
struct ServerError {
  std::string message;
  std::string type;
  std::string code;               ///< a word or a number
  std::optional<int> status;      ///< `code` where it is an HTTP status of an error
  bool context_overflow = false;  ///< the messages exceed the model's context
  bool quota_exhausted = false;   ///< there is nothing left to spend, so waiting doesn't help

  bool operator==(const ServerError&) const = default;
};

/// The error that a parsed body holds: OpenAI's `error` object, vLLM's earlier form without that
/// wrapping, FastAPI's `detail`; nullopt if it is none of these.
[[nodiscard]] std::optional<ServerError> read_error(const json::Value& body);

/// The error in the body of a response that failed. Of what is no JSON, plain text of one line is
/// the message; of an HTML page there is none.
[[nodiscard]] ServerError decode_error(std::string_view body);

/// The fault that a status other than 2xx is.
[[nodiscard]] ChatFault fault_of(int status, const ServerError& error);

/// At most 2,000 bytes of `text`, cut between characters, with a note of how many are missing.
[[nodiscard]] std::string shortened(std::string_view text);

/// Begins as an HTML or XML page does.
[[nodiscard]] bool is_markup(std::string_view body);

}  // namespace unmask::llm
