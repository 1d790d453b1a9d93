#include "unmask/llm/response_json.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/base/error.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"
#include "unmask/json/write.h"
#include "unmask/llm/chat.h"
#include "unmask/llm/chat_stream.h"
#include "unmask/llm/response_values.h"
#include "unmask/llm/server_error.h"

namespace unmask::llm {
namespace {

ChatResult decode_document(std::string_view body) {
  json::Parser parser;
  const Result<json::Parsed> parsed = parser.parse(body);
  if (!parsed) {
    return undecodable(is_markup(body) ? "a page of HTML"
                                       : "no complete JSON: " + parsed.error().message);
  }
  const json::Value& root = parsed->root;
  if (!root.is_object()) return undecodable(name_of(root.kind()));
  if (auto error = error_in(root)) return tl::unexpected(std::move(*error));
  const json::Value choices = root["choices"];
  if (!choices.is_array()) return undecodable("a document without choices");
  if (choices.size() == 0) return undecodable("an empty list of choices");
  const json::Value choice = *choices.elements().begin();
  const json::Value message = choice["message"];
  if (!message.is_object()) return undecodable("a choice without a message");

  ChatReply reply;
  reply.content = content_of(message["content"]);
  const json::Value calls = message["tool_calls"];
  if (!calls.is_null() && !calls.is_array()) {
    return undecodable("tool_calls that are " + std::string(name_of(calls.kind())));
  }
  for (const json::Value& call : calls.elements()) {
    if (!call.is_object()) return undecodable("a tool call that is no object");
    const json::Value function = call["function"];
    reply.tool_calls.push_back({std::string(call["id"].text()),
                                std::string(function["name"].text()), arguments_of(function)});
  }
  reply.finish_reason = choice["finish_reason"].text();
  reply.usage = usage_of(root["usage"]);
  if (const json::Value logprobs = choice["logprobs"]; !logprobs.is_null()) {
    reply.log_probabilities = json::to_json(logprobs);
  }
  return reply;
}

}  // namespace

tl::unexpected<ChatError> undecodable(std::string_view what) {
  return tl::unexpected(ChatError{
      ChatFault::undecodable, 0, "instead of a chat completion came " + std::string(what), {}, 1});
}

std::optional<ChatError> error_in(const json::Value& body) {
  if (!body["choices"].is_null()) return std::nullopt;
  const std::optional<ServerError> error = read_error(body);
  if (!error) return std::nullopt;
  ChatError found{ChatFault::undecodable, 0, "instead of a chat completion came an error", {}, 1};
  if (!error->message.empty()) found.message += ": " + error->message;
  if (error->context_overflow || error->status) {
    found.fault = fault_of(error->status.value_or(0), *error);
  }
  return found;
}

std::optional<std::string> content_of(const json::Value& content) {
  if (const auto text = content.string()) return std::string(*text);
  if (!content.is_array()) return std::nullopt;
  std::string joined;
  for (const json::Value& part : content.elements()) joined += part["text"].text();
  return joined;
}

std::string arguments_of(const json::Value& function) {
  const json::Value arguments = function["arguments"];
  if (arguments.is_null()) return {};
  if (const auto text = arguments.string()) return std::string(*text);
  return json::to_json(arguments);
}

Usage usage_of(const json::Value& usage) {
  return {usage["prompt_tokens"].unsigned_integer(), usage["completion_tokens"].unsigned_integer()};
}

ChatResult decode_response(std::string_view body) {
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return undecodable("an empty body");
  const std::string_view text = body.substr(first);
  if (text.starts_with("data:") || text.starts_with("event:") || text.starts_with(':')) {
    return decode_stream(text);
  }
  return decode_document(text);
}

}  // namespace unmask::llm
