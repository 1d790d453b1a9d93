#include "unmask/world/telecom/telecom_world.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/world/telecom/calendar.h"
#include "unmask/world/telecom/telecom_fixture.h"
#include "unmask/world/text_buffer.h"
#include "unmask/world/tool.h"

namespace unmask::world::telecom {
namespace {

std::string written(std::string_view text) {
  const std::optional<DateTime> time = parse_date_time(text);
  if (!time) return "none";
  return built_text([&time](TextBuffer& out) { append_text(out, *time); });
}

TEST(TelecomCalendar, Times) {
  EXPECT_EQ(written("2024-02-29"), "2024-02-29 00:00:00");
  EXPECT_EQ(written("0999-12-31T23:59"), "0999-12-31 23:59:00");
  EXPECT_EQ(written("2024-01-02 03:04:05.67"), "2024-01-02 03:04:05.670000");
  for (const char* wrong :
       {"", "2023-02-29", "1900-02-29", "2024-04-31", "2024-13-01", "2024-00-01", "2024-1-01",
        "0000-01-01", "2024-01-02T24:00", "2024-01-02T03:60", "2024-01-02T03:04:60",
        "2024-01-02T03:04:05.", "2024-01-02T03:04:05.1234567", "2024-01-02T", "2024-01-02x",
        "2024-01-02T03:04:05Z"}) {
    EXPECT_EQ(written(wrong), "none") << wrong;
  }
  EXPECT_EQ(parse_date("2000-02-29T00:00"), (Date{.year = 2000, .month = 2, .day = 29}));
  EXPECT_EQ(parse_date("2000-02-29T00:01"), std::nullopt);
}

TEST(TelecomData, FaultsNameFileAndPlace) {
  struct Case {
    std::string_view toml;
    std::string_view message;
  };
  for (const Case& expected : {
           Case{"plans = 5",
                "a.toml: 1 validation error for TelecomDB\nplans\n  Input should be a "
                "valid list"},
           Case{"[[plans]]\nplan_id = \"P\"",
                "a.toml: 4 validation errors for "
                "TelecomDB\nplans.0.name\n  Field required"},
           Case{"x = ", "a.toml:1:"},
           Case{"extra = 1", "a.toml: 1 validation error for TelecomDB\nextra\n  Extra inputs"},
       }) {
    const auto rows = read_agent_database(expected.toml, "a.toml");
    ASSERT_FALSE(rows.has_value());
    EXPECT_EQ(rows.error().code, ErrorCode::bad_input);
    EXPECT_EQ(rows.error().message.substr(0, expected.message.size()), expected.message);
  }
  EXPECT_TRUE(read_agent_database("", "a.toml").has_value());
  const auto dates = read_user_database("[surroundings]\nname = 2024-01-02\n", "u.toml");
  ASSERT_TRUE(dates.has_value());
  EXPECT_EQ(*dates->surroundings.name.string(), "2024-01-02");
}

TEST(TelecomData, AMissingFolderIsNamed) {
  const auto world = load_telecom_manual(std::filesystem::path("no-such-folder"));
  ASSERT_FALSE(world.has_value());
  EXPECT_EQ(world.error().code, ErrorCode::outside);
  EXPECT_NE(world.error().message.find("no-such-folder"), std::string::npos);
}

TEST(TelecomData, Policy) {
  EXPECT_EQ(policy_of("a", "b"),
            "<main_policy>\na\n</main_policy>\n<tech_support_policy>\nb\n</tech_support_policy>");
}

TEST(TelecomData, ToolNamesOfBothSidesDiffer) {
  const EnvironmentSetup setup = telecom_setup("telecom");
  EXPECT_EQ(setup.agent.tools.size(), 13U);
  ASSERT_EQ(setup.user->tools.size(), 30U);
  for (const Tool& tool : setup.user->tools) {
    EXPECT_EQ(setup.agent.find_tool(tool.name), nullptr) << tool.name;
  }
}

}  // namespace
}  // namespace unmask::world::telecom
