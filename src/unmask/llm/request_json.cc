#include "unmask/llm/request_json.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/json/json_text.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"
#include "unmask/json/write.h"
#include "unmask/llm/chat.h"
#include "unmask/llm/endpoint.h"

namespace unmask::llm {
namespace {

using json::JsonText;

void write_message(JsonText& text, const ChatMessage& message) {
  text.begin_object().key("role").string(name_of(message.role)).key("content");
  if (message.content) {
    text.string(*message.content);
  } else {
    text.null();
  }
  if (message.tool_calls && !message.tool_calls->empty()) {
    text.key("tool_calls").begin_array();
    for (const ChatCall& call : *message.tool_calls) {
      text.begin_object().key("id").string(call.id).key("type").string("function");
      text.key("function").begin_object().key("name").string(call.name);
      text.key("arguments").string(call.arguments).end_object().end_object();
    }
    text.end_array();
  }
  if (message.role == ChatRole::tool) text.key("tool_call_id").string(message.tool_call_id);
  text.end_object();
}

std::string messages_json(const std::vector<ChatMessage>& messages) {
  std::string out;
  std::size_t size = 0;
  for (const ChatMessage& message : messages) size += message.content ? message.content->size() : 0;
  out.reserve(size + size / 8);
  JsonText text(out);
  text.begin_array();
  for (const ChatMessage& message : messages) write_message(text, message);
  text.end_array();
  return out;
}

std::string tools_json(const std::vector<ChatTool>& tools) {
  std::string out;
  JsonText text(out);
  text.begin_array();
  for (const ChatTool& tool : tools) {
    text.begin_object().key("type").string("function").key("function").begin_object();
    text.key("name").string(tool.name).key("description").string(tool.description);
    text.key("parameters")
        .raw(tool.parameters.empty() ? R"({"type":"object","properties":{}})"
                                     : std::string_view(tool.parameters));
    text.end_object().end_object();
  }
  text.end_array();
  return out;
}

std::string string_json(std::string_view value) {
  std::string out;
  JsonText(out).string(value);
  return out;
}

std::string real_json(double value) {
  std::string out;
  JsonText(out).real(value);
  return out;
}

std::optional<std::string_view> word_of(ToolChoice choice) {
  switch (choice) {
    case ToolChoice::unset:
      return std::nullopt;
    case ToolChoice::automatic:
      return "auto";
    case ToolChoice::required:
      return "required";
    case ToolChoice::none:
      return "none";
  }
  return std::nullopt;
}

/// Members of an object, in order; a member that comes again takes the place of the first.
class MemberList {
 public:
  void set(std::string key, std::string value) {
    const auto found = std::ranges::find(members_, key, &Member::key);
    if (found == members_.end()) {
      members_.push_back({std::move(key), std::move(value)});
    } else {
      found->value = std::move(value);
    }
  }
  [[nodiscard]] std::string to_json() const {
    std::string out;
    std::size_t size = 0;
    for (const Member& member : members_) size += member.key.size() + member.value.size() + 4;
    out.reserve(size + 2);
    JsonText text(out);
    text.begin_object();
    for (const Member& member : members_) text.key(member.key).raw(member.value);
    text.end_object();
    return out;
  }

 private:
  struct Member {
    std::string key;
    std::string value;  ///< JSON
  };
  std::vector<Member> members_;
};

void add_extra_body(MemberList& members, std::string_view extra_body) {
  if (extra_body.empty()) return;
  json::Parser parser;
  const Result<json::Parsed> extra = parser.parse(extra_body);
  if (!extra) return;  // `check` has told
  for (const json::Member& member : extra->root.members()) {
    members.set(std::string(member.key), json::to_json(member.value));
  }
}

}  // namespace

std::string encode_request(const ChatRequest& request, const Endpoint& endpoint) {
  MemberList members;
  if (!endpoint.model.empty()) members.set("model", string_json(endpoint.model));
  members.set("messages", messages_json(request.messages));
  if (!request.tools.empty()) members.set("tools", tools_json(request.tools));
  // Servers refuse a choice where there is nothing to choose from.
  if (const auto choice = word_of(request.tool_choice); choice && !request.tools.empty()) {
    members.set("tool_choice", string_json(*choice));
  }
  if (endpoint.temperature) members.set("temperature", real_json(*endpoint.temperature));
  if (endpoint.max_tokens) members.set("max_tokens", std::to_string(*endpoint.max_tokens));
  if (request.seed) members.set("seed", std::to_string(*request.seed));
  if (request.log_probabilities) {
    members.set("logprobs", "true");
    if (endpoint.top_logprobs > 0) {
      members.set("top_logprobs", std::to_string(endpoint.top_logprobs));
    }
  }
  if (endpoint.streaming) {
    members.set("stream", "true");
    members.set("stream_options", R"({"include_usage":true})");
  }
  add_extra_body(members, endpoint.extra_body);
  return members.to_json();
}

}  // namespace unmask::llm
