#include "unmask/play/message_rules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "unmask/episode/channel.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/python_text.h"
#include "unmask/world/task.h"

namespace unmask::play {
namespace {

using world::Message;
using world::Outcome;
using world::raise;
using world::Role;

bool contains(const Message& message, std::string_view word) {
  return message.content && message.content->find(word) != std::string::npos;
}

tl::unexpected<world::Raised> invalid_task(const world::Task& task) {
  return raise("AssertionError", "Task " + task.id + " is not valid. Cannot run GT agent.");
}

}  // namespace

bool has_text(const Message& message) {
  return message.content && !world::is_blank(*message.content);
}

bool stops_as_user(const Message& message) {
  constexpr std::array<std::string_view, 3> kWords = {kStopWord, "###TRANSFER###",
                                                      "###OUT-OF-SCOPE###"};
  return !has_calls(message) &&
         std::ranges::any_of(kWords, [&](auto word) { return contains(message, word); });
}

bool has_stop_word(const Message& message) { return contains(message, kStopWord); }

world::Raised empty_message_error(const Message& message) {
  const std::string kind = message.role == Role::user ? "UserMessage" : "AssistantMessage";
  return {"ValueError",
          kind + " must have either content or tool_calls. Got " + kind + "\nis_final_chunk: True"};
}

Outcome<void> check_history(std::span<const Message> history) {
  std::array<std::size_t, 2> open = {0, 0};  // calls without a result: of the agent's tools, user's
  const auto open_of = [&](Party party) -> std::size_t& {
    return open[party == Party::agent ? 0 : 1];
  };
  for (const Message& message : history) {
    if (message.role == Role::system) {
      return raise("ValueError", "A system message can't be part of a history");
    }
    if (message.role == Role::tool) {
      if (open_of(message.requestor) == 0) {
        return raise("ValueError", "A tool message of the history answers no call");
      }
      --open_of(message.requestor);
      continue;
    }
    if (!is_valid(message)) return tl::unexpected<world::Raised>(empty_message_error(message));
    if (!message.tool_calls) continue;
    if (open[0] + open[1] > 0) {
      return raise("ValueError", "A call of the history has no tool message");
    }
    for (const world::ToolCall& call : *message.tool_calls) ++open_of(call.requestor);
  }
  return {};
}

bool is_known_to(Party party, const Message& message) {
  switch (message.role) {
    case Role::system:
      return false;
    case Role::tool:
      return message.requestor == party;
    case Role::assistant:
      return party == Party::agent || !has_calls(message);
    case Role::user:
      return party == Party::user || !has_calls(message);
  }
  return false;
}

Outcome<Message> as_solo_message(Message message) {
  if (!message.tool_calls) {
    return raise("ValueError", std::string(kSoloNeedsCalls));
  }
  const bool is_done = std::ranges::any_of(
      *message.tool_calls, [](const world::ToolCall& call) { return call.name == kDoneTool; });
  if (is_done) {
    message.content = kStopWord;
    message.tool_calls.reset();
  }
  return message;
}

std::span<const world::GoldenAction> golden_actions(const world::Task& task) {
  if (!task.evaluation_criteria || !task.evaluation_criteria->actions) return {};
  return *task.evaluation_criteria->actions;
}

Outcome<void> check_solo_task(const world::Task& task) {
  if (task.initial_state) {
    for (const Message& message : task.initial_state->message_history) {
      if (message.role == Role::user) return invalid_task(task);
      if (message.role == Role::assistant && !has_calls(message)) return invalid_task(task);
    }
    return {};
  }
  if (!task.ticket || golden_actions(task).empty()) return invalid_task(task);
  return {};
}

Outcome<void> check_ground_truth_task(const world::Task& task) {
  if (golden_actions(task).empty()) return invalid_task(task);
  return {};
}

}  // namespace unmask::play
