// Answers of chat endpoints: whatever comes is a reply or a named fault, twice the same; what a
// reply holds can be sent back in the history.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz_support.h"

#include "unmask/base/error.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"
#include "unmask/llm/chat.h"
#include "unmask/llm/endpoint.h"
#include "unmask/llm/request_json.h"
#include "unmask/llm/response_json.h"
#include "unmask/llm/server_error.h"

namespace {

using unmask::fuzz::require;

using unmask::llm::ChatFault;
using unmask::llm::ChatReply;
using unmask::llm::ChatResult;

void check_history(const ChatReply& reply) {
  unmask::llm::ChatRequest request;
  request.messages = {{unmask::llm::ChatRole::assistant, reply.content, reply.tool_calls, {}}};
  const std::string body = encode_request(request, {});
  unmask::json::Parser parser;
  const unmask::Result<unmask::json::Parsed> parsed = parser.parse(body);
  require(parsed.has_value());
  require(parsed->repairs.total() == 0);
  const unmask::json::Value message = *parsed->root["messages"].elements().begin();
  require(message["content"].string().has_value() == reply.content.has_value());
  require(message["content"].text() == reply.content.value_or(""));
  require(message["tool_calls"].size() == reply.tool_calls.size());
  std::size_t number = 0;
  for (const unmask::json::Value& call : message["tool_calls"].elements()) {
    require(call["id"].text() == reply.tool_calls[number].id);
    require(call["function"]["name"].text() == reply.tool_calls[number].name);
    require(call["function"]["arguments"].text() == reply.tool_calls[number].arguments);
    ++number;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ChatResult result = unmask::llm::decode_response(text);
  require(result == unmask::llm::decode_response(text));
  if (result) {
    check_history(*result);
  } else {
    const ChatFault fault = result.error().fault;
    require(fault == ChatFault::undecodable || fault == ChatFault::server ||
            fault == ChatFault::refused || fault == ChatFault::context_overflow);
    require(!result.error().message.empty());
  }
  const unmask::llm::ServerError error = unmask::llm::decode_error(text);
  require(error == unmask::llm::decode_error(text));
  require(error.message.size() < 600);
  require(unmask::llm::shortened(text).size() < 2100);
  return 0;
}
