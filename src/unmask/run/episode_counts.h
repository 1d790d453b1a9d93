#pragma once

#include <cstdint>
#include <span>

#include "unmask/llm/chat.h"
#include "unmask/world/environment.h"
#include "unmask/world/message.h"

namespace unmask::run {

/// What happened in an episode, counted for the display of a run: the audit of its logs is the
/// authority on channels.
struct EpisodeCounts {
  std::uint64_t calls = 0;      ///< of the agent
  std::uint64_t failed = 0;     ///< of these
  std::uint64_t malformed = 0;  ///< of the failed ones
  std::uint64_t tool_name = 0;  ///< of the failed ones: the name is not offered to the agent
  std::uint64_t errors = 0;     ///< failed calls of both parties: what the error budget counts
  std::uint64_t prompt_tokens = 0;
  std::uint64_t completion_tokens = 0;

  /// Adds a message's tokens.
  void add(const llm::Usage& usage) {
    prompt_tokens += usage.prompt_tokens.value_or(0);
    completion_tokens += usage.completion_tokens.value_or(0);
  }
  bool operator==(const EpisodeCounts&) const = default;
};

/// Counts the calls of an episode's own messages, a task's history left out. `solo`: the agent is
/// offered the user's tools, too.
[[nodiscard]] EpisodeCounts count_calls(std::span<const world::Message> messages,
                                        const world::EnvironmentSetup& setup, bool solo);

}  // namespace unmask::run
