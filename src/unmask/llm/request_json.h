#pragma once

#include <string>

#include "unmask/llm/chat.h"
#include "unmask/llm/endpoint.h"

namespace unmask::llm {

/// The body of a request to chat completions, compact JSON, members in a fixed order: equal
/// requests are equal bytes. Of `endpoint`, for which `check` has passed, only what shapes the body
/// counts. An assistant's message without calls has no `tool_calls` at all, since some servers
/// refuse null and an empty list there; absent content is null. `parameters` of a tool must be
/// JSON; empty stands for no parameters.
[[nodiscard]] std::string encode_request(const ChatRequest& request, const Endpoint& endpoint);

}  // namespace unmask::llm
