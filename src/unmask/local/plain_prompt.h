#pragma once

#include <span>
#include <string>
#include <vector>

#include "unmask/llm/chat.h"

namespace unmask::local {

/// A chat for a model that was never taught one: the system's text, then `User: ...` and
/// `Assistant: ...` in turn, and at the end `Assistant:`. Nothing that the parties say is escaped.
[[nodiscard]] std::string plain_prompt(std::span<const llm::ChatMessage> messages);

/// Where an answer to it ends: such a model goes on with what the user says next.
[[nodiscard]] std::vector<std::string> plain_ends();

}  // namespace unmask::local
