#include "unmask/world/tool.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/error.h"
#include "unmask/world/fields.h"
#include "unmask/world/same_text.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

const Tool* find_by_name(const std::vector<Tool>& tools, std::string_view name) {
  for (const Tool& tool : tools) {
    if (same_text(tool.name, name)) return &tool;
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

Value* member_of(Value& value, std::string_view key) {
  Object* object = value.object();
  return object == nullptr ? nullptr : object->find(key);
}

/// Sets `description`, where the original has it: keys of its schemas are in order.
void describe_schema(Value& schema, const std::string& text) {
  Object* members = schema.object();
  if (members == nullptr || text.empty()) return;
  Object described;
  bool placed = false;
  for (const Member& member : *members) {
    if (member.key == "description") continue;
    if (!placed && member.key > "description") {
      described.append("description", text);
      placed = true;
    }
    described.append(member.key, member.value);
  }
  if (!placed) described.append("description", text);
  *members = std::move(described);
}

void describe_properties(Value& schema, const Object& texts) {
  Value* properties = member_of(schema, "properties");
  if (properties == nullptr) return;
  for (const Member& text : texts) {
    Value* property = member_of(*properties, text.key);
    if (property != nullptr && text.value.is_string()) {
      describe_schema(*property, *text.value.string());
    }
  }
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

void Toolkit::index_tools() {
  for (std::size_t at = 0; at < tools.size(); ++at) places.emplace(tools[at].name, at);
}

const Tool* Toolkit::find_tool(std::string_view name) const {
  if (places.size() != tools.size()) return find_by_name(tools, name);
  const std::optional<std::size_t> at = places.find(name);
  return at ? &tools[*at] : nullptr;
}

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

Result<void> describe_tools(std::vector<Tool>& tools, const Value& descriptions,
                            std::string_view place) {
  Fields named(descriptions, std::string(place));
  for (Tool& tool : tools) {
    if (named.find(tool.name) == nullptr) continue;
    Fields fields(*named.find(tool.name), named.place_of(tool.name));
    tool.description = fields.text("description");
    describe_properties(tool.schema, fields.object_or_empty("parameters"));
    for (const Member& model : fields.object_or_empty("definitions")) {
      Fields definition(model.value, fields.place_of("definitions") + "." + model.key);
      Value* definitions = member_of(tool.schema, "$defs");
      Value* schema = definitions == nullptr ? nullptr : member_of(*definitions, model.key);
      if (schema == nullptr) continue;
      describe_schema(*schema, definition.text("description"));
      describe_properties(*schema, definition.object_or_empty("fields"));
      fields.adopt(definition.error());
    }
    named.adopt(fields.error());
  }
  if (named.error()) return tl::unexpected<Error>(*named.error());
  return {};
}

}  // namespace unmask::world
