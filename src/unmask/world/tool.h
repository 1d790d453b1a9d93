#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/text_index.h"
#include "unmask/world/value.h"

namespace unmask::world {

/// What a tool does to the state. A `function` is no tool: parties can't call it, but a task's
/// initialisation and assertions can (tau2-bench: any other method of a toolkit).
enum class ToolKind : std::uint8_t { read, write, think, generic, function };

/// `read`, `write`, `think`, `generic`, `function`.
[[nodiscard]] std::string_view name_of(ToolKind kind);

/// The JSON type of a parameter in a generated schema. No argument is ever checked against it.
enum class ParameterType : std::uint8_t { text, text_list };

struct Parameter {
  std::string name;
  bool required = true;
  ParameterType type = ParameterType::text;
};

/// Something that can be called with named arguments.
struct Tool {
  int id = 0;  ///< the world's own number, for its switch
  std::string name;
  ToolKind kind = ToolKind::read;
  std::vector<Parameter> parameters;  ///< in signature order, at most kMaxParameters
  /// For the model; empty unless given by data (describe_tools) or the world's own.
  std::string description;
  /// JSON Schema of the arguments, as tau2-bench hands it to a model.
  Value schema;

  /// Whether replays execute it again.
  [[nodiscard]] bool mutates() const { return kind == ToolKind::write; }
};

/// The tools of a party in one world; immutable once the world is made, shared by its environments.
struct Toolkit {
  std::string class_name;       ///< stands in the texts of binding errors, such as `RetailTools`
  std::vector<Tool> tools;      ///< in the order in which a model is offered them
  std::vector<Tool> functions;  ///< of kind `function`
  /// Names of `tools` to their places (index_tools); until it holds all, they are searched one by
  /// one.
  TextIndex places;

  /// For when all tools are there.
  void index_tools();
  /// Null if no tool has exactly this name.
  [[nodiscard]] const Tool* find_tool(std::string_view name) const;
  /// A tool or function.
  [[nodiscard]] const Tool* find_method(std::string_view name) const;
};

inline constexpr std::size_t kMaxParameters = 12;

/// Arguments bound to a tool's parameters; points into the call's arguments.
class Arguments {
 public:
  /// Null: an optional parameter that was not given.
  [[nodiscard]] const Value* find(std::size_t parameter) const { return values_[parameter]; }
  /// Of a required parameter, or one known to be given.
  [[nodiscard]] const Value& operator[](std::size_t parameter) const { return *values_[parameter]; }
  void bind(std::size_t parameter, const Value& value) { values_[parameter] = &value; }

 private:
  std::array<const Value*, kMaxParameters> values_{};
};

/// The schema that tau2-bench derives from a signature of text parameters, without descriptions:
/// `{"properties": ..., "required": [...], "title": "parameters", "type": "object"}`.
[[nodiscard]] Value schema_of(const std::vector<Parameter>& parameters);

/// `{"type": "function", "function": {"name", "description", "parameters"}}`.
[[nodiscard]] Value openai_tool(const Tool& tool);

/// Gives `tools` texts for a model: `descriptions` is an object, tool name to `{"description",
/// "parameters": {name: text}, "definitions": {model: {"description", "fields": {name: text}}}}`,
/// the last two optional. Tools and parameters that it lacks keep theirs; names that no tool has
/// are passed over. `place` begins the errors. Errors: bad_input.
[[nodiscard]] Result<void> describe_tools(std::vector<Tool>& tools, const Value& descriptions,
                                          std::string_view place);

}  // namespace unmask::world
