#include "unmask/diagnose/tool_catalog.h"

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/episode/channel.h"
#include "unmask/episode/log_header.h"
#include "unmask/schema/argument_schema.h"

namespace unmask {

ToolCatalog::ToolCatalog(const ToolInventory& inventory, InventoryOrigin origin)
    : complete_(inventory.complete), origin_(origin) {
  fill(agent_, inventory.agent);
  fill(user_, inventory.user);
}

void ToolCatalog::fill(Side& side, const std::vector<ToolDefinition>& tools) {
  for (const ToolDefinition& tool : tools) {
    const auto [entry, added] = side.by_name.try_emplace(tool.name);
    if (!added) continue;
    side.names.push_back(tool.name);
    if (tool.parameters.empty()) continue;
    if (auto schema = ArgumentSchema::parse(tool.parameters)) {
      entry->second = *std::move(schema);
    } else {
      unreadable_.push_back(tool.name);
    }
  }
}

bool ToolCatalog::offered(std::string_view name, Party party) const {
  return side(party).by_name.contains(name);
}

const ArgumentSchema* ToolCatalog::schema(std::string_view name, Party party) const {
  const auto& by_name = side(party).by_name;
  const auto found = by_name.find(name);
  if (found == by_name.end()) return nullptr;
  const std::optional<ArgumentSchema>& schema = found->second;
  return schema ? &*schema : nullptr;
}

std::span<const std::string> ToolCatalog::names(Party party) const { return side(party).names; }

}  // namespace unmask
