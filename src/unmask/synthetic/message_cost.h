#pragma once

#include <cstdint>

namespace unmask::synthetic {

/// What a simulated message costs, so that lengths and costs have something to show. The figures
/// are made up and the same in every arm: tokens and time grow with the number of messages only.
inline constexpr std::int64_t kCompletionTokensPerMessage = 35;
inline constexpr std::uint32_t kSecondsPerMessage = 2;

/// Prompt tokens of the agent's message with index `message`: the context grows as it goes.
[[nodiscard]] constexpr std::int64_t prompt_tokens_at(std::uint32_t message) {
  return 900 + 60 * static_cast<std::int64_t>(message);
}

}  // namespace unmask::synthetic
