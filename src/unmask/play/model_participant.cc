#include "unmask/play/model_participant.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/llm/chat.h"
#include "unmask/play/message_rules.h"
#include "unmask/play/participant.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/python_text.h"
#include "unmask/world/value.h"

namespace unmask::play {
namespace {

using world::Message;
using world::Role;

/// Endpoints refuse a history whose arguments are no JSON object, so a malformed call is shown to
/// its model as an object that holds what it wrote.
std::string arguments_text(const world::ToolCall& call) {
  if (!call.unreadable_arguments) return dump_json(call.arguments);
  return dump_json(world::Object{{"unreadable_arguments", *call.unreadable_arguments}});
}

}  // namespace

llm::ChatMessage chat_message(Party party, const Message& message) {
  llm::ChatMessage shown;
  shown.content = message.content;
  if (message.role == Role::tool) {
    shown.role = llm::ChatRole::tool;
    shown.tool_call_id = message.id;
    return shown;
  }
  const bool is_own = message.role == (party == Party::agent ? Role::assistant : Role::user);
  if (!is_own) return shown;  // the other side's texts are the user's
  shown.role = llm::ChatRole::assistant;
  if (!message.tool_calls) return shown;
  shown.tool_calls.emplace();
  for (const world::ToolCall& call : *message.tool_calls) {
    shown.tool_calls->push_back(
        {.id = call.id, .name = call.name, .arguments = arguments_text(call)});
  }
  return shown;
}

world::ToolCall tool_call(Party party, const llm::ChatCall& call) {
  world::ToolCall made;
  made.id = call.id;
  made.name = call.name;
  made.requestor = party;
  if (world::is_blank(call.arguments)) return made;
  Result<world::Value> parsed = world::parse_json(call.arguments);
  if (parsed && parsed->object() != nullptr) {
    made.arguments = std::move(*parsed->object());
  } else {
    made.unreadable_arguments = call.arguments;
  }
  return made;
}

world::Outcome<Turn> ModelParticipant::take_turn(const View& view) const {
  llm::ChatRequest request;
  request.messages.reserve(view.size() + 1);
  request.messages.push_back({.role = llm::ChatRole::system,
                              .content = prompt_.system,
                              .tool_calls = {},
                              .tool_call_id = {}});
  for (std::size_t i = 0; i < view.size(); ++i) {
    request.messages.push_back(chat_message(party_, view[i]));
  }
  request.tools = prompt_.tools;
  request.tool_choice = prompt_.tool_choice;
  return request;
}

world::Outcome<SentMessage> ModelParticipant::take_reply(const llm::ChatReply& reply) const {
  SentMessage sent;
  Message& message = sent.message;
  message.role = party_ == Party::agent ? Role::assistant : Role::user;
  message.content = reply.content;
  if (!reply.tool_calls.empty()) {
    message.tool_calls.emplace();
    for (const llm::ChatCall& call : reply.tool_calls) {
      message.tool_calls->push_back(tool_call(party_, call));
    }
  }
  sent.usage = reply.usage;
  sent.seconds = reply.seconds;
  if (!solo_) return sent;
  world::Outcome<Message> converted = as_solo_message(std::move(message));
  if (!converted) return raised_by(converted);
  sent.message = std::move(*converted);
  return sent;
}

bool ModelParticipant::stops(const Message& message) const {
  return solo_ && has_stop_word(message);
}

}  // namespace unmask::play
