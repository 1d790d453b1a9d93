#include "unmask/synthetic/world_texts.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unmask/episode/channel.h"

namespace unmask::synthetic {
namespace {

TEST(FillIn, ReplacesIdsOfTheTaskAndLeavesTheRest) {
  EXPECT_EQ(fill_in("", 0), "");
  EXPECT_EQ(fill_in("no word", 3), "no word");
  EXPECT_EQ(fill_in("$customer owns $line.", 0), "C5001 owns L5001.");
  EXPECT_EQ(fill_in("$customer", 113), "C5114");
  EXPECT_EQ(fill_in("$phone", 7), "555-0107");
  EXPECT_EQ(fill_in("$unheard of, 5 $", 0), "$unheard of, 5 $");
}

TEST(FindWorld, KnowsTwoDomains) {
  ASSERT_NE(find_world("telecom"), nullptr);
  ASSERT_NE(find_world("retail"), nullptr);
  EXPECT_EQ(find_world("airline"), nullptr);
  EXPECT_EQ(find_world(""), nullptr);
  EXPECT_EQ(task_id(*find_world("telecom"), 0), "telecom_001");
  EXPECT_EQ(task_id(*find_world("retail"), 1233), "retail_1234");
}

TEST(WorldTexts, ArgumentsAreObjectsAndTextsHaveNoWordLeft) {
  for (const std::string_view domain : {"telecom", "retail"}) {
    const WorldTexts& world = *find_world(domain);
    const auto check = [](std::string_view arguments, std::string_view text) {
      const std::string filled = fill_in(arguments, 5);
      const auto parsed = nlohmann::json::parse(filled, nullptr, false);
      EXPECT_TRUE(parsed.is_object()) << filled;
      EXPECT_EQ(filled.find('$'), std::string::npos) << filled;
      EXPECT_EQ(fill_in(text, 5).find('$'), std::string::npos) << text;
    };
    for (const ToolTexts& tool : world.agent_tools) check(tool.arguments, tool.result);
    for (const ToolTexts& tool : world.user_tools) check(tool.arguments, tool.result);
    for (const FailureTexts& failure : world.failures) {
      check(failure.arguments, failure.error);
      EXPECT_TRUE(failure.error.starts_with("Error: ")) << failure.error;
    }
    for (const ErrandTexts& errand : world.errands) check(errand.action_arguments, errand.reason);
    check(world.stray_arguments, "");
  }
}

// The log writer finds a failure's text by these four.
TEST(WorldTexts, FailuresAreToldApartByToolChannelAndKind) {
  for (const std::string_view domain : {"telecom", "retail"}) {
    std::set<std::tuple<Party, std::string_view, Channel, std::string_view>> seen;
    for (const FailureTexts& failure : find_world(domain)->failures) {
      EXPECT_TRUE(seen.emplace(failure.party, failure.tool, failure.channel, failure.kind).second)
          << failure.tool;
    }
    for (const Channel channel : {Channel::arguments, Channel::entity, Channel::precondition}) {
      EXPECT_TRUE(std::ranges::any_of(seen, [channel](const auto& entry) {
        return std::get<Party>(entry) == Party::agent && std::get<Channel>(entry) == channel;
      }));
    }
  }
}

}  // namespace
}  // namespace unmask::synthetic
