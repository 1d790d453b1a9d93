#include "unmask/llm/http_outcome.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/llm/chat.h"
#include "unmask/llm/endpoint.h"
#include "unmask/llm/response_json.h"
#include "unmask/llm/retry_policy.h"
#include "unmask/llm/secret.h"
#include "unmask/llm/server_error.h"
#include "unmask/net/http_message.h"

namespace unmask::llm {
namespace {

using std::chrono::milliseconds;

std::string_view remedy_for(ChatFault fault, int status) {
  switch (fault) {
    case ChatFault::connection:
      return "; is the server running, and is this its base URL?";
    case ChatFault::timed_out:
      return "; allow more time or fewer requests at once";
    case ChatFault::server:
      return status == 429 ? "; allow fewer requests at once or more retries"
                           : "; the server's own log says more";
    case ChatFault::refused:
      if (status == 401 || status == 403) return "; check the API key";
      if (status == 404) return "; check model and base URL, which usually ends in /v1";
      if (status == 429) return "; check the account's quota";
      return "; check model, settings and extra body";
    case ChatFault::context_overflow:
      return "; serve the model with a longer context or shorten what it is told";
    case ChatFault::undecodable:
      return "; is this the base URL of an OpenAI-compatible server?";
    case ChatFault::cancelled:
      break;
  }
  return "";
}

ChatError complete(ChatError error, const Endpoint& endpoint, std::string_view body) {
  // What failed before there was a response names its address itself.
  const std::string place = shown(endpoint);
  if (!error.message.starts_with(place)) error.message = place + ": " + error.message;
  error.message =
      endpoint.api_key.redact(error.message + std::string(remedy_for(error.fault, error.status)));
  error.body = shortened(endpoint.api_key.redact(std::string(body)));
  return error;
}

ChatFault fault_of(const net::HttpError& error) {
  switch (error.fault) {
    case net::HttpFault::bad_request:
      return ChatFault::refused;
    case net::HttpFault::timed_out:
      return ChatFault::timed_out;
    case net::HttpFault::cancelled:
      return ChatFault::cancelled;
    case net::HttpFault::too_large:
      return error.status >= 200 && error.status <= 299
                 ? ChatFault::undecodable
                 : fault_of(error.status, decode_error(error.body));
    case net::HttpFault::resolve:
    case net::HttpFault::connect:
    case net::HttpFault::tls:
    case net::HttpFault::cut_off:
    case net::HttpFault::malformed:
      break;
  }
  return ChatFault::connection;
}

/// Milliseconds first, as OpenAI's own client does.
std::optional<milliseconds> asked_delay(const net::HttpResponse& response,
                                        std::chrono::sys_seconds now) {
  if (const auto text = net::find_header(response.headers, "retry-after-ms")) {
    if (const auto seconds = parse_retry_after(*text, now)) return *seconds / 1000;
  }
  if (const auto date = net::find_header(response.headers, "date")) {
    now = parse_http_date(*date).value_or(now);
  }
  if (const auto text = net::find_header(response.headers, "retry-after")) {
    return parse_retry_after(*text, now);
  }
  return std::nullopt;
}

std::optional<bool> asked_to_retry(const net::HttpResponse& response) {
  const auto text = net::find_header(response.headers, "x-should-retry");
  if (text == "true") return true;
  if (text == "false") return false;
  return std::nullopt;
}

ChatError error_of(const net::HttpResponse& response) {
  const ServerError said = decode_error(response.body);
  ChatError error;
  error.fault = fault_of(response.status, said);
  error.status = response.status;
  error.message = "status " + std::to_string(response.status);
  if (!said.message.empty()) {
    error.message += ": " + said.message;
  } else if (is_markup(response.body)) {
    error.message += " with a page of HTML";
  }
  return error;
}

void redact(ChatReply& reply, const Secret& secret) {
  const auto clean = [&](std::string& text) { text = secret.redact(std::move(text)); };
  if (reply.content) clean(*reply.content);
  for (ChatCall& call : reply.tool_calls) {
    clean(call.id);
    clean(call.name);
    clean(call.arguments);
  }
  clean(reply.finish_reason);
  clean(reply.log_probabilities);
  clean(reply.body);
}

}  // namespace

Outcome outcome_of(net::HttpResult result, const Endpoint& endpoint, std::chrono::sys_seconds now) {
  Outcome outcome;
  if (!result) {
    const net::HttpError& failure = result.error();
    ChatError error{fault_of(failure), failure.status, failure.message, {}, 1};
    outcome.failed = {error.fault, failure.lasting, {}, {}};
    outcome.result = tl::unexpected(complete(std::move(error), endpoint, failure.body));
    return outcome;
  }
  net::HttpResponse& response = *result;
  const bool fine = response.status >= 200 && response.status <= 299;
  ChatResult decoded =
      fine ? decode_response(response.body) : ChatResult(tl::unexpected(error_of(response)));
  if (decoded) {
    decoded->body = std::move(response.body);
    decoded->seconds = response.seconds;
    redact(*decoded, endpoint.api_key);
    outcome.result = std::move(decoded);
    return outcome;
  }
  ChatError& error = decoded.error();
  error.status = response.status;
  outcome.failed = {error.fault, false, asked_delay(response, now), asked_to_retry(response)};
  outcome.result = tl::unexpected(complete(std::move(error), endpoint, response.body));
  return outcome;
}

}  // namespace unmask::llm
