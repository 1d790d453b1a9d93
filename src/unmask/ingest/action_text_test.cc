#include "unmask/ingest/action_text.h"

#include <gtest/gtest.h>

namespace unmask {
namespace {

ActionText read(std::string_view text) {
  json::Parser parser;
  return read_action_text(text, parser);
}

ActionText call(std::string name, std::string arguments, bool marked = true, bool object = true) {
  return {ActionKind::call, std::move(name), std::move(arguments), object, marked};
}

TEST(ActionText, TheLastActionCounts) {
  EXPECT_EQ(read("Thought:\nNo Action: yet.\nAction:\n{\"name\": \"open_lid\", \"arguments\": "
                 "{\"lamp\": 7}}"),
            call("open_lid", R"({"lamp":7})"));
  EXPECT_EQ(read("Action: {\"name\": \"a\", \"arguments\": {}}\nAction: {\"name\": \"b\"}  "),
            call("b", "{}"));
}

TEST(ActionText, WithoutAMarkTheWholeTextIsTheAction) {
  EXPECT_EQ(read(R"({"name": "open_lid", "arguments": {}})"), call("open_lid", "{}", false));
  EXPECT_EQ(read(R"(Here: {"name": "open_lid", "arguments": {}})").kind, ActionKind::none);
}

TEST(ActionText, RespondIsNoCall) {
  EXPECT_EQ(read(R"(Action: {"name": "respond", "arguments": {"content": "Hello"}})").kind,
            ActionKind::respond);
}

TEST(ActionText, ArgumentsMustBeAnObject) {
  EXPECT_EQ(read(R"(Action: {"name": "open_lid", "arguments": [7]})"),
            call("open_lid", "[7]", true, false));
}

TEST(ActionText, WhatIsNoJsonIsBrokenIfItNamesATool) {
  const ActionText broken = read("Action: {\"name\": \"open_lid\", \"arguments\": {\"lamp\": 7}");
  EXPECT_EQ(broken.kind, ActionKind::broken);
  EXPECT_EQ(broken.arguments, R"({"name": "open_lid", "arguments": {"lamp": 7})");
  EXPECT_FALSE(broken.arguments_are_object);
  // The prompt's own example writes respond without quotes.
  EXPECT_EQ(read("Action: {\"name\": respond, \"arguments\": {}}").kind, ActionKind::none);
  EXPECT_EQ(read("Action: {\"tool\": 7").kind, ActionKind::none);
  EXPECT_EQ(read("{\"name\": \"open_lid\"").kind, ActionKind::none);
}

TEST(ActionText, EdgeTexts) {
  for (const std::string_view text : {"", " ", "Action:", "Action: ", "Action: {}", "Action: 7",
                                      "Action: {\"name\": 7}", "Action: {\"name\""}) {
    EXPECT_EQ(read(text).kind, ActionKind::none) << text;
  }
}

TEST(ActionText, ApiOutput) {
  EXPECT_EQ(api_output("API output: open"), "open");
  EXPECT_EQ(api_output("API output: "), "");
  EXPECT_EQ(api_output("API output:\nopen"), "\nopen");
  EXPECT_EQ(api_output("The API output: open").data(), nullptr);
}

}  // namespace
}  // namespace unmask
