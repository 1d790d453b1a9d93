#include "unmask/ingest/chat_messages.h"

#include <algorithm>
#include <utility>

#include "unmask/ingest/action_text.h"
#include "unmask/ingest/json_values.h"
#include "unmask/ingest/message_values.h"
#include "unmask/json/write.h"

namespace unmask {

namespace {

using json::Value;

/// A message's text: its content, or what an assistant gives in its place.
std::string text_of(const Value& message) {
  std::string text = content_text(message["content"]);
  if (!has_text(text)) text = message["refusal"].text();
  return text;
}

std::optional<MessageRole> role_of(std::string_view role) {
  if (role == "assistant") return MessageRole::agent;
  if (role == "user") return MessageRole::user;
  if (role == "tool" || role == "function") return MessageRole::tool;
  if (role == "system" || role == "developer") return MessageRole::system;
  return std::nullopt;
}

}  // namespace

void ChatMessageReader::message(const Value& message, const Value& following,
                                const MessageNote& note) {
  const std::size_t first_call = episode_.calls.size();
  const auto role = role_of(message["role"].text());
  if (!message.is_object()) {
    report_unreadable_message(episode_.messages, message, remarks_);
    write_down(MessageRole::system, {}, first_call);
  } else if (!role || *role == MessageRole::system) {
    if (!role) report_unknown_role(episode_.messages, message["role"].text(), remarks_);
    write_down(MessageRole::system, context_.add_copy(episode_.messages, text_of(message)),
               first_call);
  } else if (*role == MessageRole::tool) {
    result(message);
  } else {
    participant(message, following, *role == MessageRole::agent ? Party::agent : Party::user, note);
  }
  ++episode_.messages;
}

void ChatMessageReader::participant(const Value& message, const Value& following, Party party,
                                    const MessageNote& note) {
  const std::size_t first_call = episode_.calls.size();
  const std::string_view text = context_.add_copy(episode_.messages, text_of(message));
  if (options_.dialect == ChatDialect::tau_bench && party == Party::user && !waiting_.empty()) {
    if (const std::string_view output = api_output(text); output.data() != nullptr) {
      ToolResult result;
      result.text = output;
      write_down(MessageRole::tool, output, first_call, answer(0, std::move(result)));
      return;
    }
  }
  const Value list = message["tool_calls"];
  report_calls_unless_list(episode_.messages, list, remarks_);
  const bool legacy = message["function_call"].is_object();
  bool called = false;
  if (list.size() > 0 || legacy) {
    waiting_.clear();
    structured_calls(list, party, note);
    if (list.size() == 0) structured_call(message["function_call"], party, note);
    if (party == Party::agent && has_text(text) && !in_history()) ++episode_.text_beside_calls;
    called = true;
  } else if (party == Party::agent) {
    called = text_calls(text, following, note);
  }
  if (party == Party::agent && !in_history()) {
    ++episode_.agent_messages;
    if (!called && !has_text(text)) ++episode_.communication_errors;
    usage(message);
  }
  write_down(party == Party::agent ? MessageRole::agent : MessageRole::user, text, first_call);
}

bool ChatMessageReader::text_calls(std::string_view text, const Value& following,
                                   const MessageNote& note) {
  ToolCall call;
  if (note.broken_call) {
    call.name = note.name;
    call.arguments = text;
    call.arguments_are_object = false;
  } else if (options_.dialect == ChatDialect::tau_bench) {
    ActionText action = read_action_text(text, argument_parser_);
    if (action.kind == ActionKind::none || action.kind == ActionKind::respond) return false;
    const auto answered = [&following] {
      return following["role"].text() == "user" &&
             api_output(content_text(following["content"])).data() != nullptr;
    };
    if (!action.marked && !answered()) return false;
    call.name = std::move(action.name);
    call.arguments = std::move(action.arguments);
    call.arguments_are_object = action.arguments_are_object;
  } else {
    return false;
  }
  waiting_.clear();
  add_call(std::move(call), note.failed);
  return true;
}

void ChatMessageReader::structured_calls(const Value& list, Party party, const MessageNote& note) {
  for (const Value call : list.elements()) structured_call(call, party, note);
}

void ChatMessageReader::structured_call(const Value& call, Party party, const MessageNote& note) {
  ToolCall result;
  // tau2-bench's own form has name and arguments outside.
  const Value named = call["function"].is_object() ? call["function"] : call;
  result.id = call["id"].text();
  result.name = named["name"].text();
  result.party = party_of(call["requestor"], party);
  const Value arguments = named["arguments"];
  if (result.name.empty()) {
    result.arguments = arguments.string() ? std::string(arguments.text()) : json::to_json(call);
    result.arguments_are_object = false;
  } else if (arguments.is_null()) {
    result.arguments = "{}";
  } else if (const auto text = arguments.string()) {
    // Servers send an empty text for a call without arguments.
    result.arguments = has_text(*text) ? std::string(*text) : "{}";
    const auto parsed = argument_parser_.parse(result.arguments);
    result.arguments_are_object = parsed && parsed->root.is_object();
  } else {
    result.arguments = json::to_json(arguments);
    result.arguments_are_object = arguments.is_object();
  }
  if (result.id.empty()) ++missing_["tool_calls[].id"];
  add_call(std::move(result), note.failed);
}

void ChatMessageReader::add_call(ToolCall call, std::optional<bool> failed) {
  call.message = episode_.messages;
  call.in_history = in_history();
  call.failed = failed.value_or(false);
  waiting_.push_back({static_cast<std::uint32_t>(episode_.calls.size()), failed});
  episode_.calls.push_back(std::move(call));
}

std::optional<std::size_t> ChatMessageReader::waiting_for(const Value& message) {
  if (waiting_.empty()) return std::nullopt;
  std::string_view id = message["tool_call_id"].text();
  if (id.empty()) id = message["id"].text();
  if (id.empty()) ++missing_["tool messages[].tool_call_id"];
  const auto has_id = [&](const Waiting& waiting) { return episode_.calls[waiting.call].id == id; };
  if (!id.empty()) {
    const auto found = std::ranges::find_if(waiting_, has_id);
    if (found != waiting_.end()) return static_cast<std::size_t>(found - waiting_.begin());
  }
  const std::string& expected = episode_.calls[waiting_.front().call].id;
  if (!id.empty() && !expected.empty()) {
    remarks_.info("call_id_mismatch", "message " + std::to_string(episode_.messages) +
                                          " answers call '" + std::string(id) + "' where '" +
                                          expected + "' was next; paired by order");
  }
  return 0;
}

void ChatMessageReader::result(const Value& message) {
  const std::size_t first_call = episode_.calls.size();
  ToolResult read;
  if (options_.dialect == ChatDialect::openai) {
    read = read_tool_result(message, result_parser_);
  } else {
    read.text = content_text(message["content"]);
  }
  const std::string_view text = context_.add_copy(episode_.messages, read.text);
  const auto waiting = waiting_for(message);
  if (!waiting) {
    write_down(MessageRole::tool, text, first_call);
    remarks_.loss("orphan_result", "message " + std::to_string(episode_.messages) +
                                       " is a tool result, but no call waits for one; it was "
                                       "passed over");
    return;
  }
  write_down(MessageRole::tool, text, first_call, answer(*waiting, std::move(read)));
}

std::uint32_t ChatMessageReader::answer(std::size_t waiting, ToolResult result) {
  const Waiting answered = waiting_[waiting];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(waiting));
  ToolCall& call = episode_.calls[answered.call];
  call.answered = true;
  if (options_.dialect == ChatDialect::tau_bench) {
    call.failed = says_failed_in_tau_bench(result.text, call.name);
  } else {
    call.failed = answered.failed.value_or(result.failed());
  }
  call.result = std::move(result.text);
  return answered.call;
}

void ChatMessageReader::write_down(MessageRole role, std::string_view text, std::size_t first_call,
                                   std::optional<std::uint32_t> answers) {
  if (!options_.transcript) return;
  episode_.transcript.push_back({role, std::string(text), static_cast<std::uint32_t>(first_call),
                                 static_cast<std::uint32_t>(episode_.calls.size() - first_call),
                                 answers});
}

void ChatMessageReader::usage(const Value& message) {
  const Value usage = message["usage"];
  add_tokens(episode_.cost.prompt_tokens, usage["prompt_tokens"]);
  add_tokens(episode_.cost.completion_tokens, usage["completion_tokens"]);
}

void ChatMessageReader::finish() {
  episode_.history_messages = std::min(options_.history, episode_.messages);
  std::uint64_t unanswered = 0;
  for (ToolCall& call : episode_.calls) {
    if (call.answered) continue;
    ++unanswered;
    if (!call.arguments_are_object) call.failed = true;
  }
  if (unanswered > 0) missing_["tool results"] += unanswered;
  episode_.context_words = context_.take(episode_.calls);
}

}  // namespace unmask
