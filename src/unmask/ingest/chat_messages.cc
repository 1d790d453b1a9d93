#include "unmask/ingest/chat_messages.h"

#include <algorithm>
#include <utility>

#include "unmask/ingest/action_text.h"
#include "unmask/ingest/json_values.h"
#include "unmask/json/write.h"

namespace unmask {

namespace {

using json::Value;

constexpr std::string_view kSpace = " \t\r\n\v\f";

bool has_text(std::string_view text) {
  return text.find_first_not_of(kSpace) != std::string_view::npos;
}

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

Party party_of(const Value& value, Party otherwise) {
  const std::string_view requestor = value["requestor"].text();
  if (requestor == "user") return Party::user;
  if (requestor == "assistant") return Party::agent;
  return otherwise;
}

}  // namespace

void ChatMessageReader::message(const Value& message, const Value& following,
                                const MessageNote& note) {
  const std::size_t first_call = episode_.calls.size();
  answered_.reset();
  const auto role = role_of(message["role"].text());
  if (!message.is_object()) {
    remarks_.loss("unreadable_message", "message " + std::to_string(episode_.messages) + " is " +
                                            std::string(name_of(message.kind())) +
                                            " instead of an object and was passed over");
    write_down(MessageRole::system, {}, first_call);
  } else if (!role) {
    remarks_.info("unknown_role", "message " + std::to_string(episode_.messages) +
                                      " has the role '" + std::string(message["role"].text()) +
                                      "', which is neither assistant, user, tool nor system; its "
                                      "calls, if any, are not counted");
    const std::string text = text_of(message);
    words_.add(episode_.messages, text);
    write_down(MessageRole::system, text, first_call);
  } else if (*role == MessageRole::tool) {
    result(message);
  } else if (*role == MessageRole::system) {
    const std::string text = text_of(message);
    words_.add(episode_.messages, text);
    write_down(MessageRole::system, text, first_call);
  } else {
    participant(message, following, *role == MessageRole::agent ? Party::agent : Party::user, note);
  }
  ++episode_.messages;
}

void ChatMessageReader::participant(const Value& message, const Value& following, Party party,
                                    const MessageNote& note) {
  const std::size_t first_call = episode_.calls.size();
  const std::string text = text_of(message);
  words_.add(episode_.messages, text);
  if (options_.dialect == ChatDialect::tau_bench && party == Party::user && !waiting_.empty() &&
      text.starts_with("API output:")) {
    ToolResult output;
    output.text = api_output(text);
    write_down(MessageRole::tool, output.text, first_call);
    answer(0, std::move(output));
    if (!episode_.transcript.empty()) episode_.transcript.back().answers = answered_;
    return;
  }
  const Value list = message["tool_calls"];
  if (list.exists() && !list.is_null() && !list.is_array()) {
    remarks_.loss("wrong_type", "message " + std::to_string(episode_.messages) +
                                    ": tool_calls is " + std::string(name_of(list.kind())) +
                                    " instead of a list; its calls were passed over");
  }
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
    const bool answered = following["role"].text() == "user" &&
                          content_text(following["content"]).starts_with("API output:");
    if (action.kind == ActionKind::none || action.kind == ActionKind::respond) return false;
    if (!action.marked && !answered) return false;
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
  result.party = party_of(call, party);
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
  words_.add(episode_.messages, read.text);
  write_down(MessageRole::tool, read.text, first_call);
  const auto waiting = waiting_for(message);
  if (!waiting) {
    remarks_.loss("orphan_result", "message " + std::to_string(episode_.messages) +
                                       " is a tool result, but no call waits for one; it was "
                                       "passed over");
    return;
  }
  answer(*waiting, std::move(read));
  if (!episode_.transcript.empty()) episode_.transcript.back().answers = answered_;
}

void ChatMessageReader::answer(std::size_t waiting, ToolResult result) {
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
  answered_ = answered.call;
}

void ChatMessageReader::write_down(MessageRole role, std::string_view text,
                                   std::size_t first_call) {
  if (!options_.transcript) return;
  episode_.transcript.push_back({role, std::string(text), static_cast<std::uint32_t>(first_call),
                                 static_cast<std::uint32_t>(episode_.calls.size() - first_call),
                                 std::nullopt});
}

void ChatMessageReader::usage(const Value& message) {
  const Value usage = message["usage"];
  const auto add = [](std::optional<std::int64_t>& sum, const Value& count) {
    // Sums of hostile counts must not overflow.
    constexpr std::int64_t kMost = std::int64_t{1} << 50U;
    const auto value = count.integer();
    if (value && *value >= 0 && *value < kMost) {
      sum = std::min(sum.value_or(0) + *value, kMost);
    }
  };
  add(episode_.cost.prompt_tokens, usage["prompt_tokens"]);
  add(episode_.cost.completion_tokens, usage["completion_tokens"]);
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
  episode_.context_words = words_.take();
}

}  // namespace unmask
