#include "unmask/diagnose/rule_set.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/diagnose/error_text.h"
#include "unmask/episode/channel.h"

namespace unmask {
namespace {

using testing::HasSubstr;

constexpr const char* kHarbour = R"(
[[rule]]
id = "harbour.berth"
channel = "precondition"
kind = "berth_taken"
match = ["Berth * is taken*", "no free berth"]

[[rule]]
id = "harbour.lookup"
channel = "entity"
kind = "@entity"
match = "*not found*"

[[rule]]
id = "harbour.sum"
channel = "arguments"
kind = "bad_value"
match = "*"
tools = ["calc*"]

[[rule]]
id = "harbour.key"
channel = "arguments"
kind = "missing"
match = "'*'"
max_words = 1

[entities]
boat = ["boat", "rowing boat"]
skipper = ["skipper", "captain"]
)";

RuleSet harbour() {
  auto rules = parse_rules(kHarbour, "harbour.toml");
  EXPECT_TRUE(rules.has_value()) << rules.error().message;
  return *rules;
}

std::string matched(const std::string& text, const std::string& tool = "get_boat") {
  const RuleSet rules = harbour();
  const std::vector<const RuleSet*> sets = {&rules};
  const auto match = match_rules(prepared_error_text(text), tool, sets);
  if (!match) return "";
  return std::string(name_of(match->channel)) + ":" + match->kind + " " + match->rule;
}

TEST(MatchRules, Table) {
  EXPECT_EQ(matched("Error: Berth 7 is taken until noon"),
            "precondition:berth_taken harbour.berth");
  EXPECT_EQ(matched("NO FREE BERTH"), "precondition:berth_taken harbour.berth");
  EXPECT_EQ(matched("No free berths"), "");
  EXPECT_EQ(matched("Captain 4 of boat 9 not found"), "entity:skipper harbour.lookup");
  EXPECT_EQ(matched("4711 not found"), "entity:boat harbour.lookup");  // from the tool's name
  EXPECT_EQ(matched("4711 not found", "look_up"), "entity:unspecified harbour.lookup");
  EXPECT_EQ(matched("boatswain not found", "look_up"), "entity:unspecified harbour.lookup");
  EXPECT_EQ(matched("whatever", "calculate"), "arguments:bad_value harbour.sum");
  EXPECT_EQ(matched("whatever"), "");
  EXPECT_EQ(matched("'berth_id'"), "arguments:missing harbour.key");
  EXPECT_EQ(matched("'x' is not 'y'"), "");
  EXPECT_EQ(matched(""), "");
}

TEST(MatchRules, TheFirstSetDecidesAndEntityWordsAreShared) {
  const RuleSet rules = harbour();
  const auto mine = parse_rules(
      "[[rule]]\nid='mine'\nchannel='other'\nkind='mine'\nmatch='*taken*'\n"
      "[entities]\ncrane=['crane']\n",
      "mine.toml");
  ASSERT_TRUE(mine.has_value()) << mine.error().message;
  const std::vector<const RuleSet*> sets = {&*mine, &rules};
  EXPECT_EQ(match_rules("berth 7 is taken", "x", sets)->rule, "mine");
  EXPECT_EQ(match_rules("crane 7 not found", "x", sets)->kind, "crane");
  EXPECT_FALSE(match_rules("crane 7", "x", {}).has_value());
}

TEST(MatchRules, TheLongestWordAtOnePlaceWins) {
  const auto rules = parse_rules(
      "[[rule]]\nid='r'\nchannel='entity'\nkind='@entity'\nmatch='*'\n"
      "[entities]\npayment=['payment']\npayment_method=['payment method']\n",
      "t");
  ASSERT_TRUE(rules.has_value());
  const std::vector<const RuleSet*> sets = {&*rules};
  EXPECT_EQ(match_rules("payment method not found", "x", sets)->kind, "payment_method");
  EXPECT_EQ(match_rules("payment not found", "x", sets)->kind, "payment");
}

TEST(ParseRules, EmptyTextIsAnEmptySet) {
  const auto rules = parse_rules("", "empty.toml");
  ASSERT_TRUE(rules.has_value());
  EXPECT_TRUE(rules->rules.empty());
  EXPECT_EQ(rules->source, "empty.toml");
}

struct BadRules {
  const char* what;
  const char* toml;
  const char* line;
  const char* remedy;
};

TEST(ParseRulesRefuses, WithLineAndRemedy) {
  const BadRules cases[] = {
      {"not TOML", "[[rule]]\nid = \n", "line 2:", "not TOML"},
      {"a word of no meaning", "\n\nrules = 1\n", "line 3:", "[[rule]]"},
      {"rule is no table list", "rule = 1\n", "line 1:", "[[rule]]"},
      {"no id", "[[rule]]\nchannel='entity'\nmatch='x'\n", "line 1:", "`id`"},
      {"no channel", "[[rule]]\nid='a'\nmatch='x'\n", "line 1:", "`channel`"},
      {"unknown channel", "[[rule]]\nid='a'\nchannel='enttiy'\nmatch='x'\n",
       "line 3:", "precondition"},
      {"no match", "[[rule]]\nid='a'\nchannel='entity'\n", "line 1:", "`match`"},
      {"empty pattern", "[[rule]]\nid='a'\nchannel='entity'\nmatch=['x','']\n",
       "line 4:", "not empty"},
      {"empty list", "[[rule]]\nid='a'\nchannel='entity'\nmatch=[]\n", "line 4:", "at least one"},
      {"pattern of a wrong type", "[[rule]]\nid='a'\nchannel='entity'\nmatch=[1]\n",
       "line 4:", "takes texts"},
      {"kind of a wrong type", "[[rule]]\nid='a'\nchannel='entity'\nkind=1\nmatch='x'\n",
       "line 4:", "must be a text"},
      {"unknown key", "[[rule]]\nid='a'\nchannel='entity'\nmatch='x'\nregex='y'\n",
       "line 5:", "`regex` is no key of a rule"},
      {"id twice",
       "[[rule]]\nid='a'\nchannel='entity'\nmatch='x'\n[[rule]]\nid='a'\n"
       "channel='entity'\nmatch='y'\n",
       "line 5:", "used twice"},
      {"no words", "[[rule]]\nid='a'\nchannel='entity'\nmatch='x'\nmax_words=0\n",
       "line 5:", "at least 1"},
      {"entities are no table", "entities=['boat']\n", "line 1:", "table"},
      {"an entity without words", "[entities]\nboat=[]\n", "line 2:", "at least one"}};
  for (const BadRules& c : cases) {
    SCOPED_TRACE(c.what);
    const auto rules = parse_rules(c.toml, "my.toml");
    ASSERT_FALSE(rules.has_value()) << c.what;
    EXPECT_EQ(rules.error().code, ErrorCode::bad_input);
    EXPECT_THAT(rules.error().message, testing::StartsWith("my.toml, " + std::string(c.line)));
    EXPECT_THAT(rules.error().message, HasSubstr(c.remedy));
  }
}

TEST(Covers, Table) {
  EXPECT_TRUE(covers("", ""));
  EXPECT_FALSE(covers("", "a"));
  EXPECT_TRUE(covers("*", ""));
  EXPECT_TRUE(covers("***", "abc"));
  EXPECT_TRUE(covers("a*c", "abbc"));
  EXPECT_FALSE(covers("a*c", "abbcd"));
  EXPECT_TRUE(covers("*b*", "abc"));
  EXPECT_FALSE(covers("ab*ba", "aba"));  // the two ends may not share a letter
  EXPECT_TRUE(covers("ab*ba", "abba"));
  EXPECT_TRUE(covers("*a*b*a", "xxaxbxa"));
  EXPECT_FALSE(covers("*a*b*a", "xxaxbx"));
  EXPECT_FALSE(covers("abc", "abcd"));
}

TEST(Covers, HostileTextIsCheap) {
  const std::string text(kMatchedBytes, 'a');
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*aaaaab";
  EXPECT_FALSE(covers(pattern, text));
}

TEST(PreparedErrorText, Table) {
  EXPECT_EQ(prepared_error_text(""), "");
  EXPECT_EQ(prepared_error_text("Error: "), "");
  EXPECT_EQ(prepared_error_text("Error:"), "");
  EXPECT_EQ(prepared_error_text("  Error:\n\n User   NOT found\n"), "user not found");
  EXPECT_EQ(prepared_error_text("Error: Error: x"), "x");
  EXPECT_EQ(prepared_error_text("Error executing tool get_boat: Boat: gone"), "boat: gone");
  EXPECT_EQ(prepared_error_text("ToolException: Error: x"), "x");
  EXPECT_EQ(prepared_error_text(R"({"error": "No \"boat\"\nhere"})"), "no \"boat\" here");
  EXPECT_EQ(prepared_error_text(R"({"error":"Error: x", "code": 1})"), "x");
  EXPECT_EQ(prepared_error_text("{\n  \"error\": \"x\"\n}"), "x");
  EXPECT_EQ(prepared_error_text(R"({"error": "cut)"), "cut");
  EXPECT_EQ(prepared_error_text(R"({"error": "cut\)"), "cut");
  // Python writes what is not ASCII as escapes.
  EXPECT_EQ(prepared_error_text(R"({"error": "Art\u00CDculo \u2014 agotado"})"),
            "art\xC3\xAD"
            "culo \xE2\x80\x94 agotado");
  EXPECT_EQ(prepared_error_text(R"({"error": "no \ud83d\ude00 here"})"),
            "no \xF0\x9F\x98\x80 here");
  EXPECT_EQ(prepared_error_text(R"({"error": "half \ud83d of a pair"})"), "half \\ud83d of a pair");
  EXPECT_EQ(prepared_error_text(R"({"error": "\ude00\ud83d"})"), "\\ude00\\ud83d");
  EXPECT_EQ(prepared_error_text(R"({"error": "\\u00e9"})"), "\\u00e9");
  EXPECT_EQ(prepared_error_text(R"({"error": "\u12"})"), "\\u12");
  EXPECT_EQ(prepared_error_text(R"({"error": "\u00)"), "\\u00");
  EXPECT_EQ(prepared_error_text(R"({"error": "a\b\f\u000a\u0000b"})"), "a b");
  EXPECT_EQ(prepared_error_text(R"({"error": {"code": 1}})"), R"({"error": {"code": 1}})");
  EXPECT_EQ(prepared_error_text(R"({"error":)"), R"({"error":)");
  EXPECT_EQ(prepared_error_text("Art\xC3\x8D"
                                "culo"),
            "art\xC3\xAD"
            "culo");
  EXPECT_EQ(prepared_error_text(std::string(100'000, 'x')).size(), kMatchedBytes);
  EXPECT_EQ(prepared_error_text("\xff\xfe"), "\xff\xfe");
}

TEST(FindWord, Table) {
  EXPECT_EQ(find_word("the boat", "boat"), 4U);
  EXPECT_EQ(find_word("boats boat", "boat"), 6U);
  EXPECT_EQ(find_word("boat_id", "boat"), std::string_view::npos);
  EXPECT_EQ(find_word("", "boat"), std::string_view::npos);
  EXPECT_EQ(find_word("boat", ""), std::string_view::npos);
}

}  // namespace
}  // namespace unmask
