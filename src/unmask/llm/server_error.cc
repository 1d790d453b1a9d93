#include "unmask/llm/server_error.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/base/error.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"
#include "unmask/json/write.h"
#include "unmask/llm/chat.h"
#include "unmask/llm/retry_policy.h"

namespace unmask::llm {
namespace {

constexpr std::size_t kShownBytes = 2000;
constexpr std::size_t kLongestMessageBytes = 500;
constexpr int kTooManyRequests = 429;

/// In lower case; what servers say when messages and answer don't fit. Rate limits, which speak of
/// tokens as well, have a status of their own.
constexpr std::array<std::string_view, 13> kOverflowTexts = {
    "maximum context length",                   // OpenAI, vLLM, SGLang, Mistral
    "context length is only",                   // vLLM since 0.12
    "longer than the maximum model length",     // vLLM, when the prompt alone is too long
    "max_tokens must be at least 1, got -",     // vLLM up to 0.4: what is left for the answer
    "exceeds the available context size",       // llama-server
    "exceed the available context size",        //
    "context size has been exceeded",           // llama-server, in the middle of an answer
    "longer than the model's context length",   // SGLang
    "`inputs` tokens + `max_new_tokens` must",  // text-generation-inference
    "exceeds the context window",               // OpenAI, newer
    "prompt is too long",                       // Anthropic's and gateways to it
    "exceeds the maximum number of tokens",     // Gemini
    "input is too long for requested model",    // Bedrock
};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  // Not within a character: its later bytes are 10xxxxxx.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "... (" + std::to_string(text.size() - end) +
         " bytes more)";
}

std::string text_of(const json::Value& value) {
  if (value.is_null()) return {};
  if (const auto text = value.string()) return std::string(*text);
  return json::to_json(value);
}

std::optional<int> status_in(std::string_view code) {
  if (code.size() != 3 || (code[0] != '4' && code[0] != '5') ||
      !std::ranges::all_of(code, [](char digit) { return digit >= '0' && digit <= '9'; })) {
    return std::nullopt;
  }
  return (code[0] - '0') * 100 + (code[1] - '0') * 10 + (code[2] - '0');
}

void judge(ServerError& error) {
  error.status = status_in(error.code);
  const std::string message = lower(error.message);
  error.context_overflow = error.code == "context_length_exceeded" ||
                           error.type == "exceed_context_size_error" ||
                           std::ranges::any_of(kOverflowTexts, [&](std::string_view text) {
                             return message.find(text) != std::string::npos;
                           });
  error.quota_exhausted = error.code == "insufficient_quota" || error.type == "insufficient_quota";
}

ServerError error_from(const json::Value& message, const json::Value& type,
                       const json::Value& code) {
  ServerError error{text_of(message), text_of(type), text_of(code), {}, false, false};
  judge(error);
  error.message = cut(error.message, kLongestMessageBytes);
  return error;
}

}  // namespace

std::optional<ServerError> read_error(const json::Value& body) {
  if (const json::Value error = body["error"]; error.is_object()) {
    return error_from(error["message"], error["type"], error["code"]);
  } else if (error.string()) {
    return error_from(error, {}, {});
  }
  if (body["object"].text() == "error") {
    return error_from(body["message"], body["type"], body["code"]);
  }
  if (const json::Value detail = body["detail"]; !detail.is_null()) {
    return error_from(detail, {}, {});
  }
  return std::nullopt;
}

ServerError decode_error(std::string_view body) {
  const std::string_view text = trimmed(body);
  if (text.starts_with('{')) {
    json::Parser parser;
    if (const Result<json::Parsed> parsed = parser.parse(text)) {
      if (const auto error = read_error(parsed->root)) return *error;
      return error_from(parsed->root["message"], parsed->root["type"], parsed->root["code"]);
    }
  }
  ServerError error;
  if (is_markup(text)) return error;
  error.message = text.substr(0, text.find_first_of("\r\n"));
  judge(error);
  error.message = cut(error.message, kLongestMessageBytes);
  return error;
}

ChatFault fault_of(int status, const ServerError& error) {
  if (error.context_overflow && status != kTooManyRequests) return ChatFault::context_overflow;
  if (error.quota_exhausted || !is_retried(status)) return ChatFault::refused;
  return ChatFault::server;
}

std::string shortened(std::string_view text) { return cut(text, kShownBytes); }

bool is_markup(std::string_view body) { return trimmed(body).starts_with('<'); }

}  // namespace unmask::llm
