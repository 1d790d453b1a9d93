#pragma once

#include <string_view>

#include "unmask/llm/chat.h"

namespace unmask::llm {

/// The answer that a stream of `chat.completion.chunk` events makes up, as `decode_response` gives
/// it for one document. Fragments of calls are joined by their index; where a server numbers all
/// calls alike, or not at all, a new id begins a new call. Content is nullopt where calls came and
/// no text.
[[nodiscard]] ChatResult decode_stream(std::string_view events);

}  // namespace unmask::llm
