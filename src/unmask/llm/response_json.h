#pragma once

#include <string_view>

#include "unmask/llm/chat.h"

namespace unmask::llm {

/// What a response with a status of 2xx says. `body` is one JSON document or a stream of events;
/// its text tells which, for servers don't always do as they were asked. `body`, `seconds` and
/// `attempts` of the result are left to the caller; so is the endpoint's name in a message.
///
/// Kept as it came: arguments (text; an object in its place as that object's JSON), ids that are
/// missing (empty) or doubled, names that are missing or unknown, any finish reason. Never repaired
/// into something else: what is no chat completion (no JSON, no choices, no message, a stream that
/// breaks off) is `undecodable`, and an error object is what its code says, else `undecodable`.
[[nodiscard]] ChatResult decode_response(std::string_view body);

}  // namespace unmask::llm
