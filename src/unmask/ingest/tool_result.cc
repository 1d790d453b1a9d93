#include "unmask/ingest/tool_result.h"

#include <array>

#include "unmask/ingest/json_values.h"
#include "unmask/json/write.h"

namespace unmask {

namespace {

using json::Kind;
using json::Member;
using json::Value;

std::string_view without_space(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  return from == std::string_view::npos ? std::string_view{} : text.substr(from);
}

bool is_letter_or_digit(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_';
}

/// Null, false, 0, "", [] and {} are no error.
bool is_truthy(const Value& value) {
  switch (value.kind()) {
    case Kind::missing:
    case Kind::null:
      return false;
    case Kind::boolean:
      return value.boolean() == true;
    case Kind::number:
      return value.number() != 0.0;
    case Kind::string:
      return !value.text().empty();
    case Kind::array:
    case Kind::object:
      return value.size() > 0;
  }
  return false;
}

std::optional<bool> stored_flag(const Value& object) {
  for (const std::string_view key : {"error", "is_error", "isError"}) {
    if (const Value flag = object[key]; flag.exists() && !flag.is_null()) return is_truthy(flag);
  }
  const std::string_view status = object["status"].text();
  if (status == "error") return true;
  if (status == "success") return false;
  return std::nullopt;
}

/// Words of an error that is an object or a text of its own.
std::string_view error_words(const Value& error) {
  return error.is_object() ? error["message"].text() : error.text();
}

bool is_text_part(const Value& value) {
  return value.is_object() && value["type"].text() == "text" && value["text"].string();
}

/// Unwraps MCP content; false if `value` is none.
bool unwrap(const Value& value, ToolResult& result) {
  if (is_text_part(value)) {
    result.text = value["text"].text();
    if (value["error"].boolean()) result.flag = value["error"].boolean();
    return true;
  }
  if (value.is_array() && value.size() > 0) {
    std::string joined;
    std::optional<bool> flag;
    for (const Value part : value.elements()) {
      if (!is_text_part(part)) return false;
      if (!joined.empty()) joined += '\n';
      joined += part["text"].text();
      if (const auto error = part["error"].boolean()) flag = flag.value_or(false) || *error;
    }
    result.text = std::move(joined);
    if (flag) result.flag = flag;
    return true;
  }
  if (value.is_object() && value["content"].is_array() && value["isError"].exists()) {
    result.text = content_text(value["content"]);
    result.flag = value["isError"].boolean();
    return true;
  }
  return false;
}

/// Of a JSON object: the first member that is not JSON-RPC's frame reports an error, or the whole
/// is an API's error body.
bool is_error_body(const Value& object) {
  const auto status = object["status"].integer();
  if (status && *status >= 400 && object["object"].text() == "error") return true;
  for (const Member member : object.members()) {
    if (member.key == "jsonrpc" || member.key == "id") continue;
    if (member.key == "success" || member.key == "ok") {
      if (member.value.boolean() != false) return false;
      continue;
    }
    return member.key == "error" && is_truthy(member.value);
  }
  return false;
}

bool begins_like_an_error(std::string_view text) {
  constexpr std::string_view kError = "Error";
  if (text.starts_with(kError)) {
    return text.size() == kError.size() || !is_letter_or_digit(text[kError.size()]);
  }
  constexpr std::array<std::string_view, 5> kPhrases = {"Security violation", "MCP error",
                                                        "Invalid JSON input for tool",
                                                        "Unknown action ", "Unknown tool"};
  for (const std::string_view phrase : kPhrases) {
    if (text.starts_with(phrase)) return true;
  }
  return text.starts_with("Tool ") && text.substr(0, 200).find(" not found") != text.npos;
}

/// JSON that may tell of an error: cheap to see, so that most results are not parsed.
bool may_wrap(std::string_view text) {
  return text.starts_with('{')
             ? text.find("rror\"") != text.npos || text.find("\"text\"") != text.npos
             : text.starts_with("[{") && text.find("\"text\"") != text.npos;
}

}  // namespace

bool says_failed(std::string_view text, json::Parser& parser) {
  text = without_space(text);
  if (begins_like_an_error(text)) return true;
  if (!text.starts_with('{') || text.find("rror\"") == text.npos) return false;
  const auto parsed = parser.parse(text);
  return parsed && parsed->root.is_object() && is_error_body(parsed->root);
}

bool says_failed_in_tau_bench(std::string_view text, std::string_view tool) {
  constexpr std::string_view kUnknown = "Unknown action ";
  if (text.starts_with("Error: ")) return true;
  return text.starts_with(kUnknown) && text.substr(kUnknown.size()) == tool;
}

ToolResult read_tool_result(const Value& message, json::Parser& parser) {
  ToolResult result;
  const Value content = message["content"];
  if (!unwrap(content, result)) {
    if (content.is_object()) {
      result.text = json::to_json(content);
    } else {
      result.text = content_text(content);
    }
  }
  std::optional<bool> error_body;
  if (const std::string_view bare = without_space(result.text); may_wrap(bare)) {
    ToolResult inner;
    // `bare` points into result.text, which must stay until the parser is done with it.
    if (const auto parsed = parser.parse(bare); parsed && unwrap(parsed->root, inner)) {
      result.text = std::move(inner.text);
      if (inner.flag) result.flag = inner.flag;
    } else {
      error_body = parsed && parsed->root.is_object() && is_error_body(parsed->root);
    }
  }
  if (const auto flag = stored_flag(message)) result.flag = flag;
  if (result.text.empty()) result.text = error_words(message["error"]);
  if (!result.flag) {
    result.looks_failed = error_body ? *error_body : says_failed(result.text, parser);
  }
  return result;
}

}  // namespace unmask
