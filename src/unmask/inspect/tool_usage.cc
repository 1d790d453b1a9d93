#include "unmask/inspect/tool_usage.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {

std::vector<ToolUsage> tool_usage(const ToolInventory& tools, const ArmFacts& arm) {
  std::map<std::string_view, ToolUsage> by_name;
  for (const ToolDefinition& tool : tools.agent) by_name[tool.name].offered_to_agent = true;
  for (const ToolDefinition& tool : tools.user) by_name[tool.name].offered_to_user = true;
  for (const EpisodeFacts& episode : arm.episodes) {
    for (const CallFacts& call : episode.calls) {
      ToolUsage& usage = by_name[arm.names.text(call.name)];
      PartyCalls& party = call.party == Party::agent ? usage.agent : usage.user;
      ++party.calls;
      if (call.failed) ++party.failed;
    }
  }
  std::vector<ToolUsage> usages;
  usages.reserve(by_name.size());
  for (auto& [name, usage] : by_name) {
    usage.name = name;
    usages.push_back(std::move(usage));
  }
  std::ranges::stable_sort(
      usages, [](const ToolUsage& a, const ToolUsage& b) { return a.calls() > b.calls(); });
  return usages;
}

}  // namespace unmask
