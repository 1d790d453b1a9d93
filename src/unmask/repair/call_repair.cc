#include "unmask/repair/call_repair.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "unmask/base/error.h"
#include "unmask/schema/tool_names.h"

namespace unmask::repair {
namespace {

/// A value for a name in braces.
struct Filling {
  std::string_view name;
  std::string_view value;
};

/// `text` with its names in braces replaced, each once and not within a value.
std::string filled(std::string_view text, std::initializer_list<Filling> fillings) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    text.remove_prefix(open);
    bool found = false;
    for (const Filling& filling : fillings) {
      const std::string name = "{" + std::string(filling.name) + "}";
      if (!text.starts_with(name)) continue;
      out += filling.value;
      text.remove_prefix(name.size());
      found = true;
      break;
    }
    if (!found) {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

void add(std::string& text, std::string_view sentence) {
  if (!text.empty()) text += ' ';
  text += sentence;
}

/// `order_id (required), reason`; `none` for a tool without parameters.
std::string parameters_of(std::string_view schema) {
  const nlohmann::json parsed = nlohmann::json::parse(schema, nullptr, false);
  std::string text;
  if (!parsed.is_object() || !parsed.contains("properties")) return "none";
  const nlohmann::json required = parsed.value("required", nlohmann::json::array());
  for (const auto& [name, value] : parsed["properties"].items()) {
    if (!text.empty()) text += ", ";
    text += name;
    for (const nlohmann::json& each : required) {
      if (each.is_string() && each.get<std::string>() == name) text += " (required)";
    }
  }
  return text.empty() ? "none" : text;
}

bool is_object(std::string_view arguments) {
  return nlohmann::json::parse(arguments, nullptr, false).is_object();
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

CallRepair::CallRepair(std::span<const llm::ChatTool> offered, RepairTexts texts)
    : texts_(std::move(texts)) {
  for (const llm::ChatTool& tool : offered) {
    tools_.push_back({tool.name, ArgumentSchema::parse(tool.parameters).value_or(ArgumentSchema()),
                      parameters_of(tool.parameters)});
    names_.push_back(tool.name);
    if (!offered_.empty()) offered_ += ", ";
    offered_ += "`" + tool.name + "`";
  }
  if (offered_.empty()) offered_ = "nothing";
}

const CallRepair::Tool* CallRepair::find(std::string_view name) const {
  for (const Tool& tool : tools_) {
    if (tool.name == name) return &tool;
  }
  return nullptr;
}

std::optional<std::string> CallRepair::fault(const llm::ChatCall& call) const {
  const Tool* tool = find(call.name);
  if (tool == nullptr) {
    std::string text = filled(texts_.unknown_name, {{"name", call.name}});
    if (const std::optional<NameMatch> near = nearest_tool_name(call.name, names_)) {
      add(text, filled(texts_.near_name, {{"near", names_[near->index]}}));
    }
    add(text, filled(texts_.offered, {{"offered", offered_}}));
    return text;
  }
  const std::string_view arguments =
      is_blank(call.arguments) ? "{}" : std::string_view(call.arguments);
  std::string text;
  if (!is_object(arguments)) {
    text = filled(texts_.unreadable, {{"name", call.name}});
  } else {
    std::string faults;
    for (const Violation& violation : tool->schema.check(arguments)) {
      if (!faults.empty()) faults += "; ";
      faults += violation.message;
    }
    if (faults.empty()) return std::nullopt;
    text = filled(texts_.bad_arguments, {{"name", call.name}, {"faults", faults}});
  }
  add(text, filled(texts_.parameters, {{"name", call.name}, {"parameters", tool->parameters}}));
  return text;
}

std::optional<std::string> CallRepair::before(const llm::ChatCall& call) const {
  const std::optional<std::string> wrong = fault(call);
  if (!wrong) return std::nullopt;
  std::string text = texts_.held_back;
  add(text, *wrong);
  add(text, texts_.again);
  return text;
}

std::string CallRepair::after(const llm::ChatCall& call, std::string_view error) const {
  std::string text = texts_.failed;
  const std::optional<std::string> wrong = fault(call);
  add(text, wrong ? *wrong : filled(texts_.refused, {{"name", call.name}, {"error", error}}));
  add(text, texts_.again);
  return text;
}

}  // namespace unmask::repair
