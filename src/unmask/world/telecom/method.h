#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/world/outcome.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

// How a toolkit's tools and functions are written down: one table of name, kind, signature and
// code.

namespace unmask::world::telecom {

/// What a method returned: a text, or anything else as JSON.
struct Reply {
  explicit Reply(std::string&& content, bool json = false)
      : text(std::move(content)), is_json(json) {}
  explicit Reply(std::string_view content, bool json = false) : text(content), is_json(json) {}

  std::string text;
  bool is_json = false;
};

template <typename State>
struct MethodCall {
  State& state;
  const Arguments& arguments;
  /// The reply goes into a tool message, where tau2-bench writes numbers of plain dicts as strings;
  /// otherwise a task gets it, as it is.
  bool for_message = true;

  [[nodiscard]] const Value& argument(std::size_t at) const { return arguments[at]; }
};

template <typename State>
struct Method {
  std::string_view name;
  ToolKind kind = ToolKind::function;
  /// Parameter names in signature order; those of a trailing `=` may be left out.
  std::vector<std::string_view> signature;
  Outcome<Reply> (*run)(const MethodCall<State>&) = nullptr;
  /// JSON Schema where it is more than text parameters; empty otherwise.
  std::string_view schema;
};

/// The toolkit of a table; a tool's id is its place in it.
template <typename State>
[[nodiscard]] Toolkit toolkit_of(std::string class_name, std::span<const Method<State>> methods) {
  Toolkit toolkit;
  toolkit.class_name = std::move(class_name);
  for (std::size_t at = 0; at < methods.size(); ++at) {
    const Method<State>& method = methods[at];
    Tool tool;
    tool.id = static_cast<int>(at);
    tool.name = method.name;
    tool.kind = method.kind;
    for (std::string_view name : method.signature) {
      Parameter parameter;
      parameter.required = !name.ends_with('=');
      if (!parameter.required) {
        name.remove_suffix(1);
      }
      parameter.name = name;
      tool.parameters.push_back(std::move(parameter));
    }
    tool.schema = method.schema.empty() ? schema_of(tool.parameters) : *parse_json(method.schema);
    const bool is_function = method.kind == ToolKind::function;
    (is_function ? toolkit.functions : toolkit.tools).push_back(std::move(tool));
  }
  toolkit.index_tools();
  return toolkit;
}

// Replies are made where they are returned, for each move of a text costs as much as finding a row.
[[nodiscard]] inline Outcome<Reply> text_reply(std::string&& text) {
  return Outcome<Reply>(tl::in_place, std::move(text));
}
[[nodiscard]] inline Outcome<Reply> text_reply(std::string_view text) {
  return Outcome<Reply>(tl::in_place, text);
}
[[nodiscard]] inline Outcome<Reply> text_reply(const char* text) {
  return text_reply(std::string_view(text));
}
[[nodiscard]] inline Outcome<Reply> json_reply(std::string&& json) {
  return Outcome<Reply>(tl::in_place, std::move(json), true);
}
[[nodiscard]] inline Outcome<Reply> json_reply(std::string_view json) {
  return Outcome<Reply>(tl::in_place, json, true);
}
[[nodiscard]] inline Outcome<Reply> null_reply() { return json_reply(std::string_view("null")); }
[[nodiscard]] inline Outcome<Reply> truth_reply(bool truth) {
  return json_reply(std::string_view(truth ? "true" : "false"));
}

}  // namespace unmask::world::telecom
