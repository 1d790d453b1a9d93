#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unmask/episode/log_header.h"
#include "unmask/json/value.h"

namespace unmask {

/// The JSON Schema of a tool's arguments, as text: `parameters`, `params` or `input_schema`,
/// whichever is an object first; empty if none is.
[[nodiscard]] std::string tool_schema(const json::Value& tool);

/// Tools from a list of OpenAI tools (`{"type":"function","function":{...}}`), of bare
/// `{name, parameters}` objects or of bare names; elements without a name are passed over. Empty
/// for anything else than a list.
[[nodiscard]] std::vector<ToolDefinition> read_tool_list(const json::Value& list);

/// The JSON list that follows `#Available tools` in a system prompt, as tau-bench's text agents
/// have it; empty if there is none.
[[nodiscard]] std::string_view tools_in_prompt(std::string_view prompt);

}  // namespace unmask
