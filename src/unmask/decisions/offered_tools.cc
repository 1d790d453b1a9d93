#include "unmask/decisions/offered_tools.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/diagnose/known_domains.h"
#include "unmask/episode/log_header.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/value.h"

namespace unmask::decisions {

bool OfferedTools::offers(std::string_view name) const {
  return std::ranges::find(names, name) != names.end();
}

std::vector<world::Value> OfferedTools::listed_values(std::string_view tool,
                                                      std::string_view argument) const {
  const auto schema = schemas_.find(tool);
  if (schema == schemas_.end()) return {};
  const world::Value* properties = schema->second.find("properties");
  const world::Value* property = properties == nullptr ? nullptr : properties->find(argument);
  if (property == nullptr) return {};
  const world::Value* listed = property->find("enum");
  if (const world::Value* items = property->find("items"); listed == nullptr && items != nullptr) {
    listed = items->find("enum");
  }
  if (listed == nullptr || listed->list() == nullptr) return {};
  return *listed->list();
}

OfferedTools offered_tools(const ToolInventory& inventory) {
  OfferedTools offered;
  for (const ToolDefinition& tool : inventory.agent) {
    offered.names.push_back(tool.name);
    llm::ChatTool shown{.name = tool.name, .description = tool.description, .parameters = "{}"};
    if (Result<world::Value> schema = world::parse_json(tool.parameters);
        schema && schema->object() != nullptr) {
      shown.parameters = world::dump_json(*schema);  // as play::chat_tool writes it
      offered.schemas_.insert_or_assign(tool.name, std::move(*schema));
    }
    offered.tools.push_back(std::move(shown));
  }
  for (const ToolDefinition& tool : inventory.user) {
    if (!offered.offers(tool.name)) offered.of_user.push_back(tool.name);
  }
  return offered;
}

Result<ToolInventory> tools_of_log(const LogHeader& header) {
  if (!header.tools.agent.empty()) return header.tools;
  if (const KnownDomain* known = known_domain(header.domain)) return known->inventory;
  return fail(ErrorCode::bad_input,
              header.file +
                  ": does not say which tools were offered, so no name can be called admissible; "
                  "add `tools` to the log (docs/formats/openai.md)");
}

}  // namespace unmask::decisions
