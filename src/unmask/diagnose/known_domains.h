#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/diagnose/rule_set.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// What the project knows of a benchmark's world without its log: the tools of both parties with
/// their schemas, and rules on its error texts. Source: tau2-bench 1.0.1 (MIT), interface facts
/// only. Its tools bind arguments by name and check no types, so the schemas allow no further
/// properties.
struct KnownDomain {
  std::string name;         ///< `retail`
  ToolInventory inventory;  ///< complete; InventoryOrigin::assumed
  RuleSet rules;
};

/// airline, mock, retail, telecom; built on first use, then constant (thread-safe).
[[nodiscard]] std::span<const KnownDomain> known_domains();

/// By the log's name of the domain, variants such as `telecom-workflow` included; null if not
/// known.
[[nodiscard]] const KnownDomain* known_domain(std::string_view name);

/// Rules for any world's texts: Python, pydantic, JSON Schema, MCP, HTTP; English and Spanish.
[[nodiscard]] const RuleSet& general_rules();

/// Names of the tools of all known worlds but `domain` and those it shares with them; sorted. For
/// provenance `other_domain`.
[[nodiscard]] std::vector<std::string> tools_of_other_domains(std::string_view domain);

/// The inventory of a run without a simulated user: the agent holds both parties' tools and `done`.
[[nodiscard]] ToolInventory solo_inventory(const ToolInventory& inventory);

}  // namespace unmask
