#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "unmask/json/parser.h"
#include "unmask/json/value.h"

namespace unmask {

/// What the result of a tool call says.
struct ToolResult {
  std::string text;  ///< the tool's own words, out of the wrappings that servers put around them
  std::optional<bool> flag;   ///< a stored flag that says whether the call failed
  bool looks_failed = false;  ///< the words say so

  [[nodiscard]] bool failed() const { return flag.value_or(looks_failed); }
  bool operator==(const ToolResult&) const = default;
};

/// Reads an OpenAI-style tool message. The flag is `error`, `is_error` or `isError` (an object or a
/// text in `error` is true), `status: "error"`, or what MCP content (`{"type":"text","text":...}`,
/// `{"content":[...],"isError":...}`) holds inside. Without one the words decide, see
/// says_failed. `parser` is for JSON inside the content.
[[nodiscard]] ToolResult read_tool_result(const json::Value& message, json::Parser& parser);

/// Whether a result's words report a failure: they begin with the word `Error` or one of the
/// phrases of tool servers, or are a JSON object that begins with an error or is an API's error
/// body (`status` from 400, `object: "error"`).
[[nodiscard]] bool says_failed(std::string_view text, json::Parser& parser);

/// tau-bench's rule: the words begin with `Error: ` or are `Unknown action NAME`.
[[nodiscard]] bool says_failed_in_tau_bench(std::string_view text, std::string_view tool);

}  // namespace unmask
