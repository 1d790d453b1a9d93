#include "unmask/ingest/tool_list.h"

#include <string>

#include "unmask/json/container_end.h"
#include "unmask/json/write.h"

namespace unmask {

std::string tool_schema(const json::Value& tool) {
  for (const std::string_view name : {"parameters", "params", "input_schema"}) {
    if (const json::Value schema = tool[name]; schema.is_object()) return json::to_json(schema);
  }
  return {};
}

std::vector<ToolDefinition> read_tool_list(const json::Value& list) {
  std::vector<ToolDefinition> tools;
  for (const json::Value element : list.elements()) {
    if (const auto bare = element.string()) {
      if (!bare->empty()) tools.push_back({std::string(*bare), {}});
      continue;
    }
    const json::Value tool = element["function"].is_object() ? element["function"] : element;
    const std::string_view name = tool["name"].text();
    if (name.empty()) continue;
    tools.push_back(
        {std::string(name), tool_schema(tool), std::string(tool["description"].text())});
  }
  return tools;
}

std::string_view tools_in_prompt(std::string_view prompt) {
  constexpr std::string_view kHeading = "#Available tools";
  const std::size_t heading = prompt.find(kHeading);
  if (heading == std::string_view::npos) return {};
  const std::size_t from = prompt.find_first_not_of(" \t\r\n", heading + kHeading.size());
  if (from == std::string_view::npos || prompt[from] != '[') return {};
  json::ContainerEnd end;
  end.start();
  const std::size_t length = end.consume(prompt.substr(from));
  return end.done() ? prompt.substr(from, length) : std::string_view{};
}

}  // namespace unmask
