#include "unmask/repair/call_repair.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/repair/repair_mode.h"

namespace unmask::repair {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<llm::ChatTool> kTools = {
    {"get_order", "", R"({"type": "object", "properties": {"order_id": {"type": "string"}},
                          "required": ["order_id"], "additionalProperties": false})"},
    {"cancel_order", "", R"({"type": "object", "properties": {"order_id": {"type": "string"},
                             "reason": {"enum": ["late", "mistake"]}}, "required": ["order_id"]})"},
    {"list_orders", "", "no schema"},
};

const CallRepair& repair() {
  static const CallRepair repair(kTools, own_repair_texts());
  return repair;
}

TEST(CallRepair, ACallThatFitsIsLeftAlone) {
  EXPECT_FALSE(repair().before({"1", "get_order", R"({"order_id": "W1"})"}));
  EXPECT_FALSE(repair().before({"1", "list_orders", R"({"whatever": 1})"}));
  EXPECT_FALSE(repair().before({"1", "list_orders", " "}));
}

TEST(CallRepair, SaysWhatIsWrongAndWhatIsOffered) {
  const struct {
    llm::ChatCall call;
    std::vector<std::string> words;
  } kCases[] = {
      {{"1", "toggle_data", "{}"}, {"no tool `toggle_data`", "`get_order`, `cancel_order`"}},
      {{"1", "getOrder", "{}"}, {"no tool `getOrder`", "you mean `get_order`"}},
      {{"1", "get_order", "{\"order_id\": "}, {"one JSON object", "order_id (required)"}},
      {{"1", "get_order", "[1]"}, {"one JSON object"}},
      {{"1", "get_order", "{}"}, {"do not fit", "order_id"}},
      {{"1", "get_order", ""}, {"do not fit", "order_id"}},
      {{"1", "cancel_order", R"({"order_id": "W1", "reason": "bored"})"},
       {"do not fit", "order_id (required), reason"}},
  };
  for (const auto& each : kCases) {
    const std::optional<std::string> text = repair().before(each.call);
    ASSERT_TRUE(text) << each.call.name << each.call.arguments;
    EXPECT_THAT(*text, HasSubstr("not executed"));
    const std::string after = repair().after(each.call, "Error: no");
    EXPECT_THAT(after, AllOf(HasSubstr("failed"), Not(HasSubstr("not executed"))));
    for (const std::string& words : each.words) {
      EXPECT_THAT(*text, HasSubstr(words));
      EXPECT_THAT(after, HasSubstr(words));
    }
  }
}

TEST(CallRepair, ARefusalIsHandedOn) {
  const std::string text =
      repair().after({"1", "get_order", R"({"order_id": "W9"})"}, "Error: Order {name} not found");
  EXPECT_THAT(text, HasSubstr("`get_order` refused the call: Error: Order {name} not found"));
}

TEST(CallRepair, WithoutToolsNothingIsOffered) {
  const CallRepair none({}, own_repair_texts());
  EXPECT_THAT(*none.before({"1", "x", "{}"}), HasSubstr("You can call: nothing."));
}

TEST(RepairTexts, WhatIsWrongIsNamed) {
  EXPECT_FALSE(own_repair_texts().version.empty());
  const struct {
    const char* text;
    const char* words;
  } kCases[] = {
      {"version = ", "line 1"},
      {"vrsion = \"1\"", "`vrsion` is not known here; known are version, rule"},
      {"version = 1", "`version` must be a text"},
      {"version = \"1\"", "`rule` is missing"},
  };
  for (const auto& each : kCases) {
    const Result<RepairTexts> texts = read_repair_texts(each.text, "f.toml");
    ASSERT_FALSE(texts);
    EXPECT_THAT(texts.error().message, AllOf(HasSubstr("f.toml"), HasSubstr(each.words)));
  }
}

TEST(RepairMode, NamesGoBothWays) {
  for (const Mode mode : {Mode::off, Mode::rule, Mode::reflex, Mode::intercept}) {
    EXPECT_EQ(mode_of_name(name_of(mode)), mode);
  }
  EXPECT_FALSE(mode_of_name("reflexes"));
}

}  // namespace
}  // namespace unmask::repair
