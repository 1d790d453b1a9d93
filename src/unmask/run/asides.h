#pragma once

#include <string>
#include <string_view>

#include "unmask/llm/chat.h"
#include "unmask/store/run.h"

namespace unmask::run {

/// Members of the bodies of asides: what a model answered that is no message of the episode.
inline constexpr std::string_view kUnusedKey = "unused_answer";

/// A model's answer as an aside, its text under `key`.
[[nodiscard]] store::Turn aside_of(std::string_view key, const llm::ChatReply& reply);

/// An answer that is no chat completion, for the record: it is what the model or server gave.
[[nodiscard]] store::Turn undecodable_aside(const llm::ChatError& error);

/// How a unit ends that something broke which is not the model's doing; without times. `text` is
/// cleaned of credentials.
[[nodiscard]] store::Outcome broken_outcome(std::string_view type, std::string_view text);

}  // namespace unmask::run
