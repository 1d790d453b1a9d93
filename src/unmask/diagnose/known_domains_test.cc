#include "unmask/diagnose/known_domains.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/diagnose/rule_set.h"
#include "unmask/diagnose/tool_catalog.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

TEST(KnownDomains, EverySchemaReadsAndEveryNameStandsOnce) {
  ASSERT_EQ(known_domains().size(), 4U);
  for (const KnownDomain& domain : known_domains()) {
    const ToolCatalog catalog(domain.inventory, InventoryOrigin::assumed);
    EXPECT_TRUE(catalog.unreadable_schemas().empty()) << domain.name;
    EXPECT_TRUE(catalog.complete()) << domain.name;
    EXPECT_EQ(catalog.names(Party::agent).size(), domain.inventory.agent.size());
    EXPECT_EQ(catalog.names(Party::user).size(), domain.inventory.user.size());
    EXPECT_FALSE(domain.rules.rules.empty()) << domain.name;
    for (const ToolDefinition& tool : domain.inventory.agent) {
      EXPECT_NE(catalog.schema(tool.name, Party::agent), nullptr) << tool.name;
      EXPECT_FALSE(catalog.offered(tool.name, Party::user)) << tool.name;
    }
  }
}

TEST(KnownDomains, RuleIdsAreUniqueOverAllSets) {
  std::set<std::string> ids;
  const auto add = [&](const RuleSet& set) {
    for (const TextRule& rule : set.rules) EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
  };
  add(general_rules());
  for (const KnownDomain& domain : known_domains()) add(domain.rules);
}

TEST(KnownDomains, Sizes) {
  EXPECT_EQ(known_domain("retail")->inventory.agent.size(), 16U);
  EXPECT_TRUE(known_domain("retail")->inventory.user.empty());
  EXPECT_EQ(known_domain("airline")->inventory.agent.size(), 14U);
  EXPECT_EQ(known_domain("telecom")->inventory.agent.size(), 13U);
  EXPECT_EQ(known_domain("telecom")->inventory.user.size(), 30U);
  EXPECT_EQ(known_domain("mock")->inventory.user.size(), 2U);
}

TEST(KnownDomains, NamesAndVariants) {
  EXPECT_EQ(known_domain("telecom-workflow"), known_domain("telecom"));
  EXPECT_EQ(known_domain("Retail"), nullptr);
  EXPECT_EQ(known_domain("retail_of_mine"), nullptr);
  EXPECT_EQ(known_domain(""), nullptr);
}

TEST(ToolsOfOtherDomains, LeavesOutWhatIsShared) {
  const auto names = tools_of_other_domains("airline");
  const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
  EXPECT_TRUE(has("get_order_details"));
  EXPECT_TRUE(has("toggle_roaming"));
  EXPECT_FALSE(has("get_user_details"));  // retail has it too
  EXPECT_FALSE(has("transfer_to_human_agents"));
  EXPECT_FALSE(has("book_reservation"));
  EXPECT_GT(tools_of_other_domains("no such domain").size(), names.size());
}

TEST(SoloInventory, TheAgentHoldsAll) {
  const ToolInventory solo = solo_inventory(known_domain("telecom")->inventory);
  const ToolCatalog catalog(solo);
  EXPECT_TRUE(catalog.offered("toggle_roaming", Party::agent));
  EXPECT_TRUE(catalog.offered("resume_line", Party::agent));
  EXPECT_TRUE(catalog.offered("done", Party::agent));
  EXPECT_FALSE(catalog.offered("toggle_roaming", Party::user));
}

TEST(ToolCatalog, UnreadableSchemasCountAsUnknown) {
  const ToolCatalog catalog({.agent = {{"a", "{"}, {"b", ""}, {"c", "{}"}, {"c", "{"}}});
  EXPECT_EQ(catalog.unreadable_schemas(), std::vector<std::string>{"a"});
  EXPECT_TRUE(catalog.offered("a", Party::agent));
  EXPECT_EQ(catalog.schema("a", Party::agent), nullptr);
  EXPECT_EQ(catalog.schema("b", Party::agent), nullptr);
  EXPECT_NE(catalog.schema("c", Party::agent), nullptr);
  EXPECT_EQ(catalog.names(Party::agent).size(), 3U);
  EXPECT_FALSE(catalog.complete());
}

}  // namespace
}  // namespace unmask
