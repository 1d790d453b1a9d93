#include "unmask/ingest/tau2_messages.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/ingest/json_values.h"
#include "unmask/ingest/message_values.h"
#include "unmask/ingest/remarks.h"
#include "unmask/json/value.h"
#include "unmask/json/write.h"

namespace unmask {

namespace {

using json::Kind;
using json::Value;

MessageRole role_of(Party party) {
  return party == Party::agent ? MessageRole::agent : MessageRole::user;
}

}  // namespace

void Tau2MessageReader::message(const Value& message) {
  if (!message.is_object()) {
    report_unreadable_message(episode_.messages, message, remarks_);
    transcribe(MessageRole::system, {}, episode_.calls.size());
    ++episode_.messages;
    return;
  }
  const Members members = members_of(message);
  const std::string_view role = members.role.text();
  if (role == "tool") {
    if (members.tool_messages.is_array()) {
      for (const Value inner : members.tool_messages.elements()) {
        result(members_of(inner));
        ++episode_.messages;
      }
      return;
    }
    result(members);
  } else if (role == "assistant") {
    participant(members, Party::agent);
  } else if (role == "user") {
    participant(members, Party::user);
  } else {
    transcribe(MessageRole::system, content_text(members.content), episode_.calls.size());
    if (role != "system") report_unknown_role(episode_.messages, role, remarks_);
  }
  ++episode_.messages;
}

std::string_view Tau2MessageReader::take_text(const Value& content) {
  if (content.is_array()) return context_.add_copy(episode_.messages, content_text(content));
  context_.add(episode_.messages, content.text());
  return content.text();
}

void Tau2MessageReader::transcribe(MessageRole role, std::string_view text, std::size_t first_call,
                                   std::optional<std::size_t> answers) {
  if (!transcript_) return;
  Message message{.role = role,
                  .text = std::string(text),
                  .first_call = static_cast<std::uint32_t>(first_call),
                  .call_count = static_cast<std::uint32_t>(episode_.calls.size() - first_call),
                  .answers = {}};
  if (answers) message.answers = static_cast<std::uint32_t>(*answers);
  episode_.transcript.push_back(std::move(message));
}

Tau2MessageReader::Members Tau2MessageReader::members_of(const Value& message) {
  static constexpr std::array<std::string_view, 9> kKeys = {
      "role",   "content",  "tool_calls", "tool_messages", "usage",
      "errors", "is_audio", "id",         "error"};
  const auto [role, content, tool_calls, tool_messages, usage, errors, is_audio, id, error] =
      message.pick(kKeys);
  return {role, content, tool_calls, tool_messages, usage, errors, is_audio, id, error};
}

void Tau2MessageReader::participant(const Members& message, Party party) {
  const std::string_view text = take_text(message.content);
  const Value& list = message.tool_calls;
  const bool speaks = has_text(text);
  if (!traces_.audio_keys && message.is_audio.exists()) traces_.audio_keys = true;
  const Value& errors = message.errors;
  if (errors.exists()) traces_.error_lists = true;
  if (party == Party::agent && !in_history()) {
    ++episode_.agent_messages;
    episode_.communication_errors += static_cast<std::uint32_t>(errors.size());
    if (!speaks && list.size() == 0 && message.is_audio.boolean() != true) {
      ++episode_.communication_errors;
    }
    if (speaks && list.size() > 0) ++episode_.text_beside_calls;
    const Value& usage = message.usage;
    add_tokens(episode_.cost.prompt_tokens, usage["prompt_tokens"]);
    add_tokens(episode_.cost.completion_tokens, usage["completion_tokens"]);
    if (usage.is_null()) ++traces_.missing_fields["messages[].usage"];
  }
  if (list.size() > 0) waiting_.clear();
  const std::size_t first_call = episode_.calls.size();
  calls(list, party);
  transcribe(role_of(party), text, first_call);
}

void Tau2MessageReader::calls(const Value& list, Party party) {
  report_calls_unless_list(episode_.messages, list, remarks_);
  for (const Value element : list.elements()) call(element, party);
}

void Tau2MessageReader::call(const Value& call, Party party) {
  ToolCall result = read_call(call, party);
  result.message = episode_.messages;
  result.in_history = in_history();
  if (result.id.empty()) ++traces_.missing_fields["tool_calls[].id"];
  waiting_.push_back({episode_.calls.size()});
  episode_.calls.push_back(std::move(result));
  ++traces_.calls;
}

void Tau2MessageReader::held_back(const Value& messages) {
  if (!messages.is_array()) return;
  std::vector<ToolCall>& held = episode_.held_back.emplace();
  for (const Value message : messages.elements()) {
    const auto before = integer_or_text(message["before"]);
    for (const Value element : message["tool_calls"].elements()) {
      ToolCall call = read_call(element, Party::agent);
      call.message = static_cast<std::uint32_t>(
          std::clamp<std::int64_t>(before.value_or(0), 0, episode_.messages));
      call.failed = true;
      held.push_back(std::move(call));
    }
  }
}

ToolCall Tau2MessageReader::read_call(const Value& call, Party party) {
  ToolCall result;
  // OpenAI's wire form wraps name and arguments.
  static constexpr std::array<std::string_view, 6> kKeys = {
      "id", "requestor", "function", "name", "arguments", "unmask_arguments"};
  const auto [id, requestor, function, own_name, own_arguments, unreadable] = call.pick(kKeys);
  const bool wrapped = function.is_object();
  result.id = id.text();
  result.name = (wrapped ? function["name"] : own_name).text();
  result.party = party_of(requestor, party);
  // What can't be read stands beside `{}` in logs of unmask, since tau2-bench takes objects only.
  const Value arguments = unreadable.string() ? unreadable
                          : wrapped           ? function["arguments"]
                                              : own_arguments;
  if (arguments.is_null()) {
    result.arguments = "{}";
  } else if (const auto text = arguments.string()) {
    const auto parsed = argument_parser_.parse(*text);
    result.arguments_are_object = parsed && parsed->root.is_object();
    result.arguments = *text;
  } else {
    result.arguments_are_object = arguments.is_object();
    result.arguments = json::to_json(arguments);
  }
  // A call that names no tool can't be read, whatever its arguments are.
  if (result.name.empty()) result.arguments_are_object = false;
  return result;
}

void Tau2MessageReader::result(const Members& message) {
  const std::string_view text = take_text(message.content);
  if (waiting_.empty()) {
    remarks_.loss("orphan_result",
                  "message " + std::to_string(episode_.messages) +
                      " is a tool result, but no call waits for one; it was passed "
                      "over");
    transcribe(MessageRole::tool, text, episode_.calls.size());
    return;
  }
  auto answered = waiting_.begin();
  const std::string_view id = message.id.text();
  if (const std::string& expected = episode_.calls[answered->call].id;
      !id.empty() && !expected.empty() && id != expected) {
    const auto has_id = [&](const Waiting& waiting) {
      return episode_.calls[waiting.call].id == id;
    };
    const auto same = std::find_if(waiting_.begin(), waiting_.end(), has_id);
    const bool decides =
        same != waiting_.end() && std::find_if(same + 1, waiting_.end(), has_id) == waiting_.end();
    if (decides) answered = same;
    remarks_.info("call_id_mismatch", "message " + std::to_string(episode_.messages) +
                                          " answers call '" + std::string(id) + "' where '" +
                                          expected + "' was next; paired " +
                                          (decides ? "by its id" : "by order"));
  }
  transcribe(MessageRole::tool, text, episode_.calls.size(), answered->call);
  ToolCall& call = episode_.calls[answered->call];
  waiting_.erase(answered);
  call.answered = true;
  call.result = text;
  const auto flag = message.error.boolean();
  if (!flag) ++traces_.missing_fields["tool messages[].error"];
  call.failed = flag.value_or(text.starts_with("Error: "));
}

void Tau2MessageReader::tick(const Value& tick) {
  for (const std::string_view side : {"agent", "user"}) {
    const Party party = side == "agent" ? Party::agent : Party::user;
    const std::string prefix(side);
    const Value chunk = tick[prefix + "_chunk"];
    context_.add(episode_.messages, chunk["content"].text());
    const Value list = tick[prefix + "_tool_calls"];
    if (list.size() > 0) waiting_.clear();
    const std::size_t first_call = episode_.calls.size();
    calls(list, party);
    const std::string_view text = chunk["content"].text();
    if (has_text(text) || list.size() > 0) transcribe(role_of(party), text, first_call);
    for (const Value answer : tick[prefix + "_tool_results"].elements()) result(members_of(answer));
    if (party == Party::agent && chunk.is_object()) ++episode_.agent_messages;
  }
  ++episode_.messages;
}

void Tau2MessageReader::finish() {
  episode_.history_messages = std::min(history_, episode_.messages);
  episode_.context_words = context_.take(episode_.calls);
  const auto unanswered = std::count_if(episode_.calls.begin(), episode_.calls.end(),
                                        [](const ToolCall& call) { return !call.answered; });
  if (unanswered > 0) {
    traces_.missing_fields["tool results"] += static_cast<std::uint64_t>(unanswered);
  }
}

}  // namespace unmask
