#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/diagnose/rule_set.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// What the project knows of a benchmark's world without its log: tools of both parties with their
/// schemas, and rules on its error texts. Source: tau2-bench 1.0.1 (MIT), interface facts only.
struct KnownDomain {
  std::string name;         ///< `retail`
  ToolInventory inventory;  ///< complete; source `known domain retail`
  RuleSet rules;
};

/// airline, retail, telecom, mock; built on first use, then constant (thread-safe).
[[nodiscard]] std::span<const KnownDomain> known_domains();

/// By the log's name of the domain, variants included (`telecom-workflow`, `telecom_full`). Null if
/// not known.
[[nodiscard]] const KnownDomain* known_domain(std::string_view name);

/// Rules for any world's texts (Python, pydantic, JSON Schema, MCP, HTTP; English and Spanish).
[[nodiscard]] const RuleSet& general_rules();

/// Names of all tools of the known worlds but `name`'s, for provenance `other_domain`.
[[nodiscard]] std::vector<std::string> tools_of_other_domains(std::string_view name);

}  // namespace unmask
