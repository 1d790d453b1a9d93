#include "unmask/play/text_protocol.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "play_data.h"

#include "unmask/base/error.h"
#include "unmask/llm/chat.h"
#include "unmask/play/json_in_text.h"
#include "unmask/play/participant.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/value.h"

namespace unmask::play {
namespace {

using llm::ChatCall;
using llm::ChatMessage;
using llm::ChatRole;
using world::Value;

constexpr std::array<std::string_view, 3> kNameKeys = {"tool", "name", "function"};
constexpr std::array<std::string_view, 3> kArgumentKeys = {"arguments", "parameters", "args"};

std::string tool_list(const std::vector<llm::ChatTool>& tools) {
  std::string text;
  for (const llm::ChatTool& tool : tools) {
    text += "\n- " + tool.name;
    if (!tool.description.empty()) text += ": " + tool.description;
    text += "\n  " + tool.parameters;
  }
  return text;
}

/// As the model is to write it.
std::string call_text(const ChatCall& call) {
  return R"({"tool": )" + world::dump_json(call.name) + R"(, "arguments": )" + call.arguments + "}";
}

void append(std::vector<ChatMessage>& messages, ChatRole role, const std::string& text) {
  if (!messages.empty() && messages.back().role == role && role != ChatRole::system) {
    messages.back().content = messages.back().content.value_or("") + "\n\n" + text;
    return;
  }
  messages.push_back({.role = role, .content = text, .tool_calls = {}, .tool_call_id = {}});
}

const Value* first_of(const Value& object, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const Value* value = object.find(key)) return value;
  }
  return nullptr;
}

/// The call that an object is: a name, and arguments or nothing else.
std::optional<ChatCall> call_of(const Value& object) {
  const Value* name = first_of(object, kNameKeys);
  if (name == nullptr || !name->is_string()) return std::nullopt;
  const Value* arguments = first_of(object, kArgumentKeys);
  if (arguments == nullptr && object.object()->size() > 1) return std::nullopt;
  ChatCall call;
  call.name = *name->string();
  if (arguments == nullptr) {
    call.arguments = "{}";
  } else {  // some write the arguments as a text that holds JSON
    call.arguments = arguments->is_string() ? *arguments->string() : dump_json(*arguments);
  }
  return call;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  const std::size_t next = text.find_first_not_of(" \t\r\n", at);
  return next == std::string_view::npos ? text.size() : next;
}

/// A broken call: `{"tool": "name"` and then something that is no JSON. Its arguments are the text
/// from the first brace after the name.
std::optional<ChatCall> broken_call(std::string_view text) {
  for (const std::string_view key : kNameKeys) {
    const std::string quoted = '"' + std::string(key) + '"';
    std::size_t at = skip_blanks(text, 1);
    if (!text.substr(at).starts_with(quoted)) continue;
    at = skip_blanks(text, at + quoted.size());
    if (at >= text.size() || text[at] != ':') continue;
    at = skip_blanks(text, at + 1);
    if (at >= text.size() || text[at] != '"') continue;
    const std::size_t end = text.find_first_of("\"\n", at + 1);
    ChatCall call;
    call.name = text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
    const std::size_t arguments =
        end == std::string_view::npos ? std::string_view::npos : text.find('{', end);
    call.arguments = arguments == std::string_view::npos ? text : text.substr(arguments);
    return call;
  }
  return std::nullopt;
}

/// What begins with a brace: perhaps a call; its bytes, and how many were looked at.
struct Candidate {
  std::optional<ChatCall> call;
  std::size_t length = 1;
  std::size_t scanned = 0;
};

Candidate candidate_at(std::string_view text) {
  const std::optional<std::string_view> object = object_at(text, 0);
  const std::string_view whole = object.value_or(text);
  Candidate candidate{.call = {}, .length = 1, .scanned = whole.size()};
  if (object) {
    const Result<Value> parsed = world::parse_json(*object);
    if (parsed && parsed->object() != nullptr) {
      candidate.call = call_of(*parsed);
      candidate.length = whole.size();  // an object that is no call holds none either
      return candidate;
    }
  }
  candidate.call = broken_call(whole);
  if (!candidate.call) return candidate;
  candidate.length = whole.size();
  // What can't be read must not become readable by being cut out of the whole.
  const Result<Value> arguments = world::parse_json(candidate.call->arguments);
  if (arguments && arguments->object() != nullptr) candidate.call->arguments = whole;
  return candidate;
}

/// Takes away what models put around calls, and blanks at the ends.
std::string without_marks(std::string text) {
  constexpr std::array<std::string_view, 5> kMarks = {"<tool_call>", "</tool_call>", "```json",
                                                      "```tool_call", "```"};
  for (const std::string_view mark : kMarks) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
      text.erase(at, mark.size());
    }
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

llm::ChatRequest as_text_request(llm::ChatRequest request) {
  std::vector<ChatMessage> messages;
  std::map<std::string, std::string, std::less<>> names;  // of calls, by id
  bool told = request.tools.empty();
  for (const ChatMessage& message : request.messages) {
    std::string text = message.content.value_or("");
    switch (message.role) {
      case ChatRole::system:
        if (!told) {
          text += "\n\n";
          text += play_data::text_protocol_md;
          text += tool_list(request.tools);
          told = true;
        }
        append(messages, ChatRole::system, text);
        break;
      case ChatRole::user:
        append(messages, ChatRole::user, text);
        break;
      case ChatRole::assistant:
        for (const ChatCall& call : message.tool_calls.value_or(std::vector<ChatCall>{})) {
          names.insert_or_assign(call.id, call.name);
          text += (text.empty() ? "" : "\n") + call_text(call);
        }
        append(messages, ChatRole::assistant, text);
        break;
      case ChatRole::tool: {
        const auto name = names.find(message.tool_call_id);
        append(messages, ChatRole::user,
               "Result of " + (name == names.end() ? "a call" : name->second) + ":\n" + text);
        break;
      }
    }
  }
  request.messages = std::move(messages);
  request.tools.clear();
  request.tool_choice = llm::ToolChoice::unset;
  return request;
}

llm::ChatReply from_text_reply(llm::ChatReply reply) {
  if (!reply.content || !reply.tool_calls.empty()) return reply;
  const std::string_view text = *reply.content;
  // A model that writes braces without end must not cost the square of its text.
  std::size_t scans_left = 32 * text.size();
  std::string beside;
  std::size_t at = 0;
  while (at < text.size()) {
    Candidate candidate;
    if (text[at] == '{' && scans_left > 0) {
      candidate = candidate_at(text.substr(at));
      scans_left -= std::min(scans_left, candidate.scanned);
    }
    if (candidate.call) {
      candidate.call->id = "text_" + std::to_string(reply.tool_calls.size());
      reply.tool_calls.push_back(std::move(*candidate.call));
    } else {
      beside += text.substr(at, candidate.length);
    }
    at += candidate.length;
  }
  if (reply.tool_calls.empty()) return reply;
  beside = without_marks(std::move(beside));
  reply.content = beside.empty() ? std::nullopt : std::optional(std::move(beside));
  return reply;
}

world::Outcome<Turn> TextProtocol::take_turn(const View& view) const {
  world::Outcome<Turn> turn = inner_.take_turn(view);
  if (!turn) return turn;
  if (llm::ChatRequest* request = std::get_if<llm::ChatRequest>(&*turn)) {
    *request = as_text_request(std::move(*request));
  }
  return turn;
}

world::Outcome<SentMessage> TextProtocol::take_reply(const llm::ChatReply& reply) const {
  return inner_.take_reply(from_text_reply(reply));
}

bool TextProtocol::stops(const world::Message& message) const { return inner_.stops(message); }

std::optional<std::string> TextProtocol::objection(const world::Message& message) const {
  return inner_.objection(message);
}

}  // namespace unmask::play
