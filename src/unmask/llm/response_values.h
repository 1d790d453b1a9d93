#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "unmask/json/value.h"
#include "unmask/llm/chat.h"

// Parts that whole responses and streams have in common.

namespace unmask::llm {

/// A failure with status 0, to be returned as a ChatResult.
[[nodiscard]] tl::unexpected<ChatError> undecodable(std::string_view what);

/// The failure that `body` holds instead of a completion; nullopt if it holds none.
[[nodiscard]] std::optional<ChatError> error_in(const json::Value& body);

/// Text, or the texts of a list of parts joined; nullopt for null and for anything else.
[[nodiscard]] std::optional<std::string> content_of(const json::Value& content);

/// The text of a call's arguments or of a fragment of them; an object's JSON.
[[nodiscard]] std::string arguments_of(const json::Value& function);

/// Counts of a `usage` object.
[[nodiscard]] Usage usage_of(const json::Value& usage);

}  // namespace unmask::llm
