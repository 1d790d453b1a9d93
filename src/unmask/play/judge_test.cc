#include "unmask/play/judge.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "unmask/world/reward_info.h"

namespace unmask::play {
namespace {

/// Met or not of each check, or what was raised.
std::string read(std::string_view answer) {
  const auto checks = read_judgement(answer);
  if (!checks) return std::string(checks.error().type);
  std::string text;
  for (const world::NlCheck& check : *checks) {
    text += check.assertion + (check.met ? "+" : "-") + check.justification + ";";
  }
  return text;
}

TEST(Judge, Answers) {
  EXPECT_EQ(read(R"({"results": [
      {"expectedOutcome": "a", "reasoning": "r", "metExpectation": true},
      {"expectedOutcome": "b", "reasoning": "s", "metExpectation": false}]})"),
            "a+r;b-s;");
  EXPECT_EQ(read("{}"), "");
  EXPECT_EQ(read(R"({"results": []})"), "");
  EXPECT_EQ(read("fine"), "JSONDecodeError");
  EXPECT_EQ(read("[]"), "AttributeError");
  EXPECT_EQ(read(R"({"results": 3})"), "TypeError");
  EXPECT_EQ(read(R"({"results": [{"expectedOutcome": "a", "reasoning": "r"}]})"), "KeyError");
}

TEST(Judge, TruthIsPythons) {
  const auto met = [](const std::string& value) {
    return read(R"({"results": [{"expectedOutcome": "a", "reasoning": "", "metExpectation": )" +
                value + "}]}");
  };
  for (const char* value : {"true", "1", "\"no\"", "[0]", "0.5"}) EXPECT_EQ(met(value), "a+;");
  for (const char* value : {"false", "0", "\"\"", "[]", "{}", "null", "0.0"}) {
    EXPECT_EQ(met(value), "a-;");
  }
}

}  // namespace
}  // namespace unmask::play
