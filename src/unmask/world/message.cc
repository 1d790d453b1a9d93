#include "unmask/world/message.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/world/fields.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

std::optional<Role> role_of(std::string_view name) {
  if (name == "system") return Role::system;
  if (name == "user") return Role::user;
  if (name == "assistant") return Role::assistant;
  if (name == "tool") return Role::tool;
  return std::nullopt;
}

std::string_view name_of(Role role) {
  switch (role) {
    case Role::system:
      return "system";
    case Role::user:
      return "user";
    case Role::assistant:
      return "assistant";
    case Role::tool:
      return "tool";
  }
  UNMASK_CHECK(false);
}

Party read_requestor(Fields& fields) {
  const std::optional<std::string> name = fields.optional_text("requestor");
  if (!name) return Party::agent;
  const std::optional<Party> party = party_of_requestor(*name);
  if (!party) fields.fault("requestor", "`assistant` or `user` is due here");
  return party.value_or(Party::agent);
}

ToolCall read_call(const Value& value, std::string place, MalformedCalls malformed,
                   std::optional<Error>& error) {
  Fields fields(value, std::move(place));
  ToolCall call;
  call.id = fields.optional_text("id").value_or("");
  call.name = fields.text("name");
  const Value* arguments = fields.find("arguments");
  if (malformed == MalformedCalls::refused || arguments == nullptr ||
      arguments->object() != nullptr) {
    call.arguments = fields.object_or_empty("arguments");
  } else {
    call.unreadable_arguments =
        arguments->is_string() ? *arguments->string() : dump_json(*arguments);
  }
  call.requestor = read_requestor(fields);
  if (!error) error = fields.error();
  return call;
}

class MessageReader {
 public:
  explicit MessageReader(MalformedCalls malformed) : malformed_(malformed) {}

  void read(const Value& value, const std::string& place) {
    Fields fields(value, place);
    const std::optional<Role> role = role_of(fields.text("role"));
    if (!role) fields.fault("role", "`system`, `user`, `assistant` or `tool` is due here");
    if (role == Role::tool && fields.find("tool_messages") != nullptr) {
      const List& parts = fields.list("tool_messages");
      for (std::size_t i = 0; i < parts.size(); ++i)
        read(parts[i], fields.place_of("tool_messages", i));
    } else {
      Message message;
      message.role = role.value_or(Role::system);
      message.content = fields.optional_text("content");
      if (message.role == Role::tool) {
        message.id = fields.text("id");
        message.requestor = read_requestor(fields);
        message.error = fields.boolean_or("error", false);
      } else if (const List* calls = fields.optional_list("tool_calls")) {
        message.tool_calls.emplace();
        for (std::size_t i = 0; i < calls->size(); ++i) {
          message.tool_calls->push_back(
              read_call((*calls)[i], fields.place_of("tool_calls", i), malformed_, error_));
        }
      }
      messages_.push_back(std::move(message));
    }
    if (!error_) error_ = fields.error();
  }

  Result<std::vector<Message>> finish() {
    if (error_) return tl::unexpected<Error>(*error_);
    return std::move(messages_);
  }

 private:
  MalformedCalls malformed_;
  std::vector<Message> messages_;
  std::optional<Error> error_;
};

}  // namespace

std::string_view requestor_name(Party party) {
  return party == Party::agent ? "assistant" : "user";
}

std::optional<Party> party_of_requestor(std::string_view name) {
  if (name == "assistant") return Party::agent;
  if (name == "user") return Party::user;
  return std::nullopt;
}

Value to_value(const Message& message) {
  Object members;
  const Value content = message.content ? Value(*message.content) : Value();
  const std::string_view role = name_of(message.role);
  if (message.role == Role::tool) {
    return Object{{"id", message.id},
                  {"role", role},
                  {"content", content},
                  {"requestor", requestor_name(message.requestor)},
                  {"error", message.error}};
  }
  members.append("role", role);
  members.append("content", content);
  if (message.role == Role::system) return members;
  Value calls;
  if (message.tool_calls) {
    List list;
    for (const ToolCall& call : *message.tool_calls) {
      Value arguments =
          call.unreadable_arguments ? Value(*call.unreadable_arguments) : Value(call.arguments);
      list.emplace_back(Object{{"id", call.id},
                               {"name", call.name},
                               {"arguments", std::move(arguments)},
                               {"requestor", requestor_name(call.requestor)}});
    }
    calls = std::move(list);
  }
  members.append("tool_calls", std::move(calls));
  return members;
}

Result<std::vector<Message>> read_messages(const Value& list, std::string_view place,
                                           MalformedCalls malformed) {
  const List* elements = list.list();
  if (elements == nullptr) {
    return fail(ErrorCode::bad_input, std::string(place) + ": a list of messages is due here");
  }
  MessageReader reader(malformed);
  for (std::size_t i = 0; i < elements->size(); ++i) {
    reader.read((*elements)[i], std::string(place) + "[" + std::to_string(i) + "]");
  }
  return reader.finish();
}

Result<ToolCall> read_tool_call(const Value& call, std::string_view place) {
  std::optional<Error> error;
  ToolCall read = read_call(call, std::string(place), MalformedCalls::refused, error);
  if (error) return tl::unexpected<Error>(*error);
  return read;
}

}  // namespace unmask::world
