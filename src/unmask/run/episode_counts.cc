#include "unmask/run/episode_counts.h"

#include <cstddef>
#include <span>
#include <string_view>

#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/message.h"

namespace unmask::run {

EpisodeCounts count_calls(std::span<const world::Message> messages,
                          const world::EnvironmentSetup& setup, bool solo) {
  EpisodeCounts counts;
  const auto is_offered = [&](std::string_view name) {
    return setup.agent.find_tool(name) != nullptr ||
           (solo && setup.user && setup.user->find_tool(name) != nullptr);
  };
  const world::Message* calling = nullptr;
  std::size_t answered = 0;  // calls of it
  for (const world::Message& message : messages) {
    if (message.role != world::Role::tool) {
      calling = message.tool_calls ? &message : nullptr;
      answered = 0;
      continue;
    }
    if (calling == nullptr || answered >= calling->tool_calls->size()) continue;
    const world::ToolCall& call = (*calling->tool_calls)[answered++];
    if (message.error) ++counts.errors;
    if (call.requestor != Party::agent) continue;
    ++counts.calls;
    if (!message.error) continue;
    ++counts.failed;
    if (call.is_malformed()) {
      ++counts.malformed;
    } else if (!is_offered(call.name)) {
      ++counts.tool_name;
    }
  }
  return counts;
}

}  // namespace unmask::run
