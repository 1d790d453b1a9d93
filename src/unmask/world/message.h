#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/world/value.h"

namespace unmask::world {

/// `assistant`, `user`: a party as tau2-bench writes it.
[[nodiscard]] std::string_view requestor_name(Party party);
/// The party of `assistant` or `user`.
[[nodiscard]] std::optional<Party> party_of_requestor(std::string_view name);

/// A call of a tool, as a model asked for it.
struct ToolCall {
  std::string id;
  std::string name;
  Object arguments;
  Party requestor = Party::agent;  ///< whose tools it goes to, whoever sent the message
  /// Of a malformed call: the text that stood where a JSON object of arguments is due. `arguments`
  /// is empty then; the call is answered with an error in every world, and matches no action.
  std::optional<std::string> unreadable_arguments;

  /// Whether the call can't be read: such arguments, or no name.
  [[nodiscard]] bool is_malformed() const { return unreadable_arguments || name.empty(); }
};

enum class Role : std::uint8_t { system, user, assistant, tool };

/// A message of a trajectory in tau2-bench's model. In a tool message `id` is that of the call it
/// answers.
struct Message {
  Role role = Role::assistant;
  std::optional<std::string> content;
  std::optional<std::vector<ToolCall>> tool_calls;  ///< an empty list is not the same as none
  std::string id;
  Party requestor = Party::agent;  ///< of a tool message
  bool error = false;              ///< of a tool message
};

/// What a reader does with a call whose arguments are no JSON object.
enum class MalformedCalls : std::uint8_t {
  refused,  ///< an error: tasks and vectors have none
  kept,     ///< read as malformed; to_value and back gives an equal call
};

/// Reads a message list as tau2-bench writes it; unknown keys are tolerated, a tool message that
/// bundles others becomes those others. `place` begins the errors' places, such as
/// `tasks[3].initial_state`. Errors: bad_input, with place, for what is no message.
[[nodiscard]] Result<std::vector<Message>> read_messages(
    const Value& list, std::string_view place, MalformedCalls malformed = MalformedCalls::refused);

/// A message with tau2-bench's keys in its order; unreadable arguments as the text they are.
[[nodiscard]] Value to_value(const Message& message);

/// Reads `{id, name, arguments, requestor}`. Errors as read_messages.
[[nodiscard]] Result<ToolCall> read_tool_call(const Value& call, std::string_view place);

}  // namespace unmask::world
