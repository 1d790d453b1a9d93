#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {

struct PartyCalls {
  std::uint64_t calls = 0;
  std::uint64_t failed = 0;

  bool operator==(const PartyCalls&) const = default;
};

/// A tool name: who has the tool, who called it.
struct ToolUsage {
  std::string name;
  bool offered_to_agent = false;
  bool offered_to_user = false;
  PartyCalls agent;
  PartyCalls user;

  [[nodiscard]] std::uint64_t calls() const { return agent.calls + user.calls; }

  bool operator==(const ToolUsage&) const = default;
};

/// Every tool that `tools` offers or an episode of `arm` calls (excluded episodes included), most
/// called first, equal ones by name.
[[nodiscard]] std::vector<ToolUsage> tool_usage(const ToolInventory& tools, const ArmFacts& arm);

}  // namespace unmask
