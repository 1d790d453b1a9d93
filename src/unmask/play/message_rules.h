#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "unmask/episode/channel.h"
#include "unmask/play/participant.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"

namespace unmask::play {

/// Ends an episode when the agent says it where agents can stop: in solo mode.
inline constexpr std::string_view kStopWord = "###STOP###";

/// What is raised where a solo agent writes a message without calls.
inline constexpr std::string_view kSoloNeedsCalls = "LLMSoloAgent only supports tool calls.";
/// The tool that solo agents are offered to say that they are done; no world has it.
inline constexpr std::string_view kDoneTool = "done";

/// Whether a message has text: more than Unicode white space.
[[nodiscard]] bool has_text(const world::Message& message);
/// Whether it is a tool-call message; an empty list of calls makes it one, too.
[[nodiscard]] inline bool has_calls(const world::Message& message) {
  return message.tool_calls.has_value();
}
/// A message must have text or calls.
[[nodiscard]] inline bool is_valid(const world::Message& message) {
  return has_text(message) || has_calls(message);
}

/// Whether a user's message ends the episode: it has no calls, and one of the words ###STOP###,
/// ###TRANSFER### and ###OUT-OF-SCOPE### stands anywhere in its text.
[[nodiscard]] bool stops_as_user(const world::Message& message);

/// Whether kStopWord stands in the text, calls or not.
[[nodiscard]] bool has_stop_word(const world::Message& message);

/// What the original raises for a message with neither text nor calls.
[[nodiscard]] world::Raised empty_message_error(const world::Message& message);

/// Checks a task's history: messages must be valid and tool messages must answer an open call.
[[nodiscard]] world::Outcome<void> check_history(std::span<const world::Message> history);

/// Whether a message of a task's history is known to `party`: its own, the other's texts, results
/// of calls to its own tools.
[[nodiscard]] bool is_known_to(Party party, const world::Message& message);

/// The rule of solo agents for a model's message: there must be calls; if one of them names `done`,
/// the message becomes kStopWord and all its calls are dropped.
[[nodiscard]] world::Outcome<world::Message> as_solo_message(world::Message message);

/// The task's golden actions; none where it has no criteria.
[[nodiscard]] std::span<const world::GoldenAction> golden_actions(const world::Task& task);

/// Whether the original lets a solo agent play a task; raises what building that agent raises.
[[nodiscard]] world::Outcome<void> check_solo_task(const world::Task& task);
/// Likewise for the agent that is told the golden actions.
[[nodiscard]] world::Outcome<void> check_ground_truth_task(const world::Task& task);

}  // namespace unmask::play
