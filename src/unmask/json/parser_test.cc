#include "unmask/json/parser.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/json/text.h"
#include "unmask/json/write.h"

namespace unmask::json {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Parser, ReadsEveryKind) {
  Parser parser;
  const auto parsed = parser.parse(
      R"({"n": null, "t": true, "i": -3, "d": 2.5, "w": 3.0, "u": 18446744073709551615, "s": "x\u00e9",
          "a": [1, "b"], "o": {"k": "v"}})");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->repairs.total(), 0U);
  const Value root = parsed->root;
  EXPECT_TRUE(root["n"].exists());
  EXPECT_TRUE(root["n"].is_null());
  EXPECT_FALSE(root["nothing"].exists());
  EXPECT_TRUE(root["nothing"].is_null());
  EXPECT_EQ(root["t"].boolean(), true);
  EXPECT_EQ(root["i"].integer(), -3);
  EXPECT_EQ(root["d"].number(), 2.5);
  EXPECT_FALSE(root["d"].integer().has_value());
  EXPECT_EQ(root["w"].integer(), 3);
  EXPECT_FALSE(root["w"].is_integer_literal());
  EXPECT_FALSE(root["u"].integer().has_value());
  EXPECT_EQ(root["u"].unsigned_integer(), 18446744073709551615U);
  EXPECT_EQ(root["s"].text(), "x\xC3\xA9");
  EXPECT_EQ(root["a"].size(), 2U);
  EXPECT_EQ(root["o"]["k"].text(), "v");
  EXPECT_EQ(root["o"]["k"]["deeper"].kind(), Kind::missing);
  EXPECT_FALSE(root["s"].number().has_value());
  EXPECT_EQ(root["i"].text(), "");
  std::vector<std::string> keys;
  for (const Member member : root.members()) keys.emplace_back(member.key);
  EXPECT_THAT(keys, ElementsAre("n", "t", "i", "d", "w", "u", "s", "a", "o"));
  std::size_t elements = 0;
  for (const Value element : root["t"].elements()) elements += element.exists() ? 1U : 0U;
  EXPECT_EQ(elements, 0U);
}

struct RepairCase {
  std::string text;
  std::string expected;  ///< as_is JSON of the repaired document
  std::size_t Repairs::* counter;
  std::size_t count;
};

TEST(Parser, RepairsWhatRealLogsGetWrong) {
  Parser parser;
  const std::vector<RepairCase> cases = {
      {R"(["\ud83d"])", "[\"\xEF\xBF\xBD\"]", &Repairs::lone_surrogates, 1},
      {R"(["\ud83dx\ude00\ud83d\ud83d\ude00"])",
       "[\"\xEF\xBF\xBDx\xEF\xBF\xBD\xEF\xBF\xBD\xF0\x9F\x98\x80\"]", &Repairs::lone_surrogates, 3},
      {"[\"a\xFF\xC3\"]", "[\"a\xEF\xBF\xBD\xEF\xBF\xBD\"]", &Repairs::invalid_utf8, 2},
      {"[\"\xED\xA0\x80\"]", "[\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"]", &Repairs::invalid_utf8,
       3},
      {"[\"a\tb\x01\"]", R"(["a\tb\u0001"])", &Repairs::control_characters, 2},
      {R"(["C:\q"])", R"(["C:\\q"])", &Repairs::invalid_escapes, 1},
      {R"(["\u12g4"])", R"(["\\u12g4"])", &Repairs::invalid_escapes, 1},
      {"[NaN, -Infinity, Infinity]", "[NaN,-Infinity,Infinity]", &Repairs::non_finite_numbers, 3},
      {"[1e999, -1e999]", "[Infinity,-Infinity]", &Repairs::non_finite_numbers, 2},
      {"[123456789012345678901234567890]", "[1.2345678901234568e+29]", &Repairs::huge_integers, 1},
  };
  for (const RepairCase& example : cases) {
    const auto parsed = parser.parse(example.text);
    ASSERT_TRUE(parsed.has_value()) << example.text << ": " << parsed.error().message;
    EXPECT_EQ(to_json(parsed->root), example.expected) << example.text;
    EXPECT_EQ(parsed->repairs.*example.counter, example.count) << example.text;
    EXPECT_EQ(parsed->repairs.total(), example.count) << example.text;
  }
}

TEST(Parser, NumberReadersKnowNan) {
  Parser parser;
  const auto parsed = parser.parse(R"({"r": NaN, "i": -Infinity, "text": "NaN"})");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->root["r"].kind(), Kind::number);
  EXPECT_TRUE(std::isnan(parsed->root["r"].number().value()));
  EXPECT_FALSE(parsed->root["r"].integer().has_value());
  EXPECT_TRUE(std::isinf(parsed->root["i"].number().value()));
  EXPECT_EQ(parsed->root["text"].kind(), Kind::string);
  EXPECT_EQ(to_string(parsed->repairs), "2 NaN or infinite numbers");
}

TEST(Parser, KeepsAnEscapedNul) {
  Parser parser;
  const auto parsed = parser.parse(R"(["a\u0000b"])");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ((*parsed->root.elements().begin()).text(), std::string_view("a\0b", 3));
}

struct ErrorCase {
  std::string text;
  std::string_view message;
};

TEST(Parser, NamesPlaceAndByteOfAnError) {
  Parser parser;
  for (const ErrorCase& example : {
           ErrorCase{R"({"messages": [{"role": "user"}, {"role": }]})",
                     "expected a value, found '}' at byte 141 (in messages[1].role)"},
           ErrorCase{R"({"a": 01})", "a malformed number"},
           ErrorCase{R"({"a": 1.})", "a malformed number"},
           ErrorCase{R"({"a": tru})", "expected a value"},
           ErrorCase{R"({"a": [1 2]})", "',' or ']'"},
           ErrorCase{R"({"a" 1})", "':'"},
           ErrorCase{R"({"a": "x)", "within a string"},
           ErrorCase{R"({"a": "x\)", "within a string"},
           ErrorCase{"{} x", "the end"},
           ErrorCase{"", "too early"},
       }) {
    const auto parsed = parser.parse(example.text, 100);
    ASSERT_FALSE(parsed.has_value()) << example.text;
    EXPECT_THAT(parsed.error().message, HasSubstr(example.message)) << example.text;
  }
}

TEST(Parser, RefusesDeepNestingAndNamesThePlace) {
  Parser parser;
  const std::string allowed = std::string(kMaxDepth - 1, '[') + std::string(kMaxDepth - 1, ']');
  EXPECT_TRUE(parser.parse(allowed).has_value());
  EXPECT_TRUE(parser.parse("[\"\xFF\"," + allowed.substr(1, allowed.size() - 2) + "]").has_value());
  const std::string deep = R"({"trace": )" + std::string(5000, '[') + std::string(5000, ']') + "}";
  const auto parsed = parser.parse(deep);
  ASSERT_FALSE(parsed.has_value());
  EXPECT_THAT(parsed.error().message, HasSubstr("nested more than 1024 deep at byte 1032"));
  EXPECT_THAT(parsed.error().message, HasSubstr("trace[0]"));
  EXPECT_THAT(parsed.error().message, HasSubstr("... (1023 deep)"));
}

TEST(Parser, LastOfADuplicateKeyWins) {
  Parser parser;
  const auto parsed = parser.parse(R"({"a": 1, "b": 2, "a": {"c": 3, "c": 4}})");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_THAT(parser.duplicate_keys(), IsEmpty());
  EXPECT_EQ(parsed->root["a"]["c"].integer(), 4);
  EXPECT_THAT(parser.duplicate_keys(), ElementsAre("a", "c"));
  EXPECT_EQ(to_json(parsed->root), R"({"a":{"c":4},"b":2})");
  ASSERT_TRUE(parser.parse("{}").has_value());
  EXPECT_THAT(parser.duplicate_keys(), IsEmpty());
}

TEST(Write, KeepsNumbersAndOrder) {
  Parser parser;
  const std::string text =
      R"({"z":[1,2.0,-0.5,1e+30,18446744073709551615],"a":"\"\\\n\u0007/é","n":null,"t":false})";
  const auto parsed = parser.parse(text);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(to_json(parsed->root), text);
}

TEST(Write, CanonicalFormIsTheSameForEqualDocuments) {
  Parser first;
  Parser second;
  const auto a = first.parse(R"({"b": 25.0, "a": ["\u00e9", 1.50], "c": {"y": 1, "x": 2}})");
  const auto b = second.parse("{\"c\":{\"x\":2,\"y\":1},\n\"a\":[\"é\",1.5],\"b\":25}");
  ASSERT_TRUE(a.has_value() && b.has_value());
  EXPECT_EQ(to_canonical_json(a->root), R"({"a":["é",1.5],"b":25,"c":{"x":2,"y":1}})");
  EXPECT_EQ(to_canonical_json(a->root), to_canonical_json(b->root));
}

TEST(Text, UnescapesAsTheParserDoes) {
  Parser parser;
  for (const std::string_view raw :
       {R"(plain)", R"(\"\\\/\b\f\n\r\t)", R"(\u0041\u00e9\u20ac\ud83d\ude00)", R"(\ud83d!)",
        R"(\u0000)"}) {
    const auto parsed = parser.parse("[\"" + std::string(raw) + "\"]");
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(unescape(raw), (*parsed->root.elements().begin()).text()) << raw;
  }
  EXPECT_EQ(unescape(R"(\q\u12)"), R"(\q\u12)");
}

}  // namespace
}  // namespace unmask::json
