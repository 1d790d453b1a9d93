#include "unmask/world/tool.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/error.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

const Tool* find_by_name(const std::vector<Tool>& tools, std::string_view name) {
  for (const Tool& tool : tools) {
    if (tool.name == name) return &tool;
  }
  return nullptr;
}

/// `order_id` becomes `Order Id`.
std::string title_of(std::string_view name) {
  std::string title;
  bool word_begins = true;
  for (const char byte : name) {
    if (byte == '_') {
      title += ' ';
      word_begins = true;
      continue;
    }
    title += word_begins && byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 'a' + 'A') : byte;
    word_begins = false;
  }
  return title;
}

Value property_of(const Parameter& parameter) {
  Object property;
  if (parameter.type == ParameterType::text_list) {
    property.append("items", Object{{"type", "string"}});
    property.append("title", title_of(parameter.name));
    property.append("type", "array");
  } else {
    property.append("title", title_of(parameter.name));
    property.append("type", "string");
  }
  return property;
}

}  // namespace

std::string_view name_of(ToolKind kind) {
  switch (kind) {
    case ToolKind::read:
      return "read";
    case ToolKind::write:
      return "write";
    case ToolKind::think:
      return "think";
    case ToolKind::generic:
      return "generic";
    case ToolKind::function:
      return "function";
  }
  UNMASK_CHECK(false);
}

const Tool* Toolkit::find_tool(std::string_view name) const { return find_by_name(tools, name); }

const Tool* Toolkit::find_method(std::string_view name) const {
  const Tool* tool = find_tool(name);
  return tool != nullptr ? tool : find_by_name(functions, name);
}

Value schema_of(const std::vector<Parameter>& parameters) {
  Object properties;
  List required;
  for (const Parameter& parameter : parameters) {
    properties.append(parameter.name, property_of(parameter));
    if (parameter.required) required.emplace_back(parameter.name);
  }
  Object schema;
  schema.append("properties", std::move(properties));
  if (!required.empty()) schema.append("required", std::move(required));
  schema.append("title", "parameters");
  schema.append("type", "object");
  return schema;
}

Value openai_tool(const Tool& tool) {
  return Object{{"type", "function"},
                {"function", Object{{"name", tool.name},
                                    {"description", tool.description},
                                    {"parameters", tool.schema}}}};
}

Result<void> describe_tools(std::vector<Tool>& tools, const Value& schemas,
                            std::string_view place) {
  const List* list = schemas.list();
  if (list == nullptr) {
    return fail(ErrorCode::bad_input, std::string(place) + ": a list of tools is due here");
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Value* function = (*list)[i].find("function");
    const Value* name = function == nullptr ? nullptr : function->find("name");
    if (name == nullptr || name->string() == nullptr) {
      return fail(ErrorCode::bad_input,
                  std::string(place) + "[" + std::to_string(i) + "]: no function.name");
    }
    for (Tool& tool : tools) {
      if (tool.name != *name->string()) continue;
      const Value* description = function->find("description");
      if (description != nullptr && description->string() != nullptr) {
        tool.description = *description->string();
      }
      if (const Value* parameters = function->find("parameters")) tool.schema = *parameters;
    }
  }
  return {};
}

}  // namespace unmask::world
