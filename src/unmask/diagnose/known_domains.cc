#include "unmask/diagnose/known_domains.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnose_data.h"
#include <nlohmann/json.hpp>

#include "unmask/base/check.h"
#include "unmask/diagnose/rule_set.h"
#include "unmask/episode/log_header.h"

namespace unmask {

namespace {

std::vector<ToolDefinition> tools_of(const nlohmann::json& tools) {
  std::vector<ToolDefinition> definitions;
  for (const nlohmann::json& tool : tools) {
    definitions.push_back({tool.at("name").get<std::string>(), tool.at("parameters").dump()});
  }
  return definitions;
}

RuleSet embedded_rules(std::string_view toml, std::string_view source) {
  auto rules = parse_rules(toml, source);
  UNMASK_CHECK(rules.has_value());
  return *std::move(rules);
}

KnownDomain embedded_domain(std::string_view tools, std::string_view rules) {
  const auto json = nlohmann::json::parse(tools);
  KnownDomain domain;
  domain.name = json.at("domain").get<std::string>();
  domain.inventory.agent = tools_of(json.at("agent"));
  domain.inventory.user = tools_of(json.at("user"));
  domain.inventory.complete = true;
  domain.inventory.source = "known domain " + domain.name;
  domain.rules = embedded_rules(rules, domain.name);
  return domain;
}

}  // namespace

std::span<const KnownDomain> known_domains() {
  namespace data = diagnose_data;
  static const std::vector<KnownDomain> k_domains = {
      embedded_domain(data::airline_json, data::airline_toml),
      embedded_domain(data::mock_json, data::mock_toml),
      embedded_domain(data::retail_json, data::retail_toml),
      embedded_domain(data::telecom_json, data::telecom_toml)};
  return k_domains;
}

const KnownDomain* known_domain(std::string_view name) {
  // Task sets of the same world: one more word after the domain's own.
  if (name == "telecom-workflow" || name == "telecom_full" || name == "telecom_small") {
    name = "telecom";
  }
  const auto domains = known_domains();
  const auto found =
      std::ranges::find_if(domains, [&](const KnownDomain& domain) { return domain.name == name; });
  return found == domains.end() ? nullptr : &*found;
}

const RuleSet& general_rules() {
  static const RuleSet k_rules = embedded_rules(diagnose_data::general_toml, "general");
  return k_rules;
}

std::vector<std::string> tools_of_other_domains(std::string_view name) {
  const KnownDomain* own = known_domain(name);
  std::vector<std::string> names;
  const auto add = [](const ToolInventory& inventory, std::vector<std::string>& to) {
    for (const ToolDefinition& tool : inventory.agent) to.push_back(tool.name);
    for (const ToolDefinition& tool : inventory.user) to.push_back(tool.name);
  };
  for (const KnownDomain& domain : known_domains()) {
    if (&domain != own) add(domain.inventory, names);
  }
  std::ranges::sort(names);
  const auto repeats = std::ranges::unique(names);
  names.erase(repeats.begin(), repeats.end());
  if (own == nullptr) return names;
  std::vector<std::string> own_names;
  add(own->inventory, own_names);
  std::erase_if(names, [&](const std::string& tool) {
    return std::ranges::find(own_names, tool) != own_names.end();
  });
  return names;
}

ToolInventory solo_inventory(const ToolInventory& inventory) {
  ToolInventory solo = inventory;
  solo.agent.insert(solo.agent.end(), inventory.user.begin(), inventory.user.end());
  solo.agent.push_back(
      {"done", R"({"type":"object","properties":{},"additionalProperties":false})"});
  solo.user.clear();
  return solo;
}

}  // namespace unmask
