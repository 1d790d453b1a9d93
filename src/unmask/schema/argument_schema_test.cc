#include "unmask/schema/argument_schema.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace unmask {
namespace {

std::string summary(const std::vector<Violation>& violations) {
  std::string text;
  for (const Violation& violation : violations) {
    if (!text.empty()) text += ' ';
    text += std::string(name_of(violation.kind)) + ":" + violation.pointer;
  }
  return text;
}

struct Case {
  const char* what;
  const char* schema;
  const char* arguments;
  const char* expected;  // kinds and pointers
};

constexpr const char* kBooking = R"({"type":"object","properties":{
  "boat_id":{"type":"string"},"seats":{"type":"integer"},"cabin":{"type":"string","enum":["open","covered"]}},
  "required":["boat_id","seats"],"additionalProperties":false})";
constexpr const char* kTree = R"({"$ref":"#/$defs/node","$defs":{"node":{"type":"object",
  "properties":{"value":{"type":"integer"},"next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}},
  "required":["value"]}}})";

TEST(ArgumentSchemaTable, Check) {
  const Case cases[] = {
      {"empty schema", "{}", R"({"a":1})", ""},
      {"true", "true", "[]", ""},
      {"false", "false", "{}", "unexpected:"},
      {"valid", kBooking, R"({"boat_id":"b","seats":2,"cabin":"open"})", ""},
      {"missing, in the listed order", kBooking, "{}", "missing:/boat_id missing:/seats"},
      {"unexpected", kBooking, R"({"boat_id":"b","seats":2,"deck":1})", "unexpected:/deck"},
      {"missing before unexpected", kBooking, R"({"boat":"b","seats":2})",
       "missing:/boat_id unexpected:/boat"},
      {"wrong type", kBooking, R"({"boat_id":7,"seats":2})", "wrong_type:/boat_id"},
      {"bad enum", kBooking, R"({"boat_id":"b","seats":2,"cabin":"Open"})", "bad_enum:/cabin"},
      {"a float without fraction is an integer", kBooking, R"({"boat_id":"b","seats":2.0})", ""},
      {"a boolean is no integer", kBooking, R"({"boat_id":"b","seats":true})", "wrong_type:/seats"},
      {"huge integers stay integers", kBooking,
       R"({"boat_id":"b","seats":123456789012345678901234567890})", ""},
      {"numbers beyond a double are numbers", R"({"items":{"type":"integer"}})",
       R"([1e999,-1e999,3,"9e999"])", "wrong_type:/3"},
      {"not an object", kBooking, "[1]", "wrong_type:"},
      {"not JSON", kBooking, R"({"boat_id": )", "wrong_type:"},
      {"empty text", kBooking, "", "wrong_type:"},
      {"list of types", R"({"properties":{"a":{"type":["string","null"]}}})", R"({"a":null})", ""},
      {"none of the types", R"({"properties":{"a":{"type":["string","null"]}}})", R"({"a":1})",
       "wrong_type:/a"},
      {"unknown type restricts nothing", R"({"properties":{"a":{"type":"any"}}})", R"({"a":1})",
       ""},
      {"nullable", R"({"properties":{"a":{"type":"string","nullable":true}}})", R"({"a":null})",
       ""},
      {"const", R"({"properties":{"a":{"const":3}}})", R"({"a":4})", "bad_enum:/a"},
      {"items", R"({"properties":{"a":{"type":"array","items":{"type":"string"}}}})",
       R"({"a":["x",1,"y",null]})", "wrong_type:/a/1 wrong_type:/a/3"},
      {"a string for an array", R"({"properties":{"a":{"type":"array"}}})", R"({"a":"[1]"})",
       "wrong_type:/a"},
      {"prefix items", R"({"prefixItems":[{"type":"string"}],"items":{"type":"integer"}})",
       R"([1,2,"x"])", "wrong_type:/0 wrong_type:/2"},
      {"items as a list", R"({"items":[{"type":"string"}],"additionalItems":false})", R"(["a",2])",
       "unexpected:/1"},
      {"bounds", R"({"properties":{"a":{"minimum":1,"maximum":5}}})", R"({"a":0.5})",
       "bad_value:/a"},
      {"bounds are closed", R"({"properties":{"a":{"minimum":1,"maximum":1}}})", R"({"a":1})", ""},
      {"exclusive bound", R"({"properties":{"a":{"exclusiveMinimum":0}}})", R"({"a":0})",
       "bad_value:/a"},
      {"exclusive bound of draft 4",
       R"({"properties":{"a":{"maximum":3,"exclusiveMaximum":true}}})", R"({"a":3})",
       "bad_value:/a"},
      {"multiple of a decimal", R"({"properties":{"a":{"multipleOf":0.01}}})", R"({"a":19.99})",
       ""},
      {"not a multiple", R"({"properties":{"a":{"multipleOf":2}}})", R"({"a":3})", "bad_value:/a"},
      {"length in code points", R"({"properties":{"a":{"maxLength":2}}})",
       R"({"a":"\u00e9\u00e9"})", ""},
      {"too short", R"({"properties":{"a":{"minLength":1}}})", R"({"a":""})", "bad_value:/a"},
      {"pattern", R"({"properties":{"a":{"pattern":"^#W[0-9]+$"}}})", R"({"a":"W12"})",
       "bad_value:/a"},
      {"pattern is searched", R"({"properties":{"a":{"pattern":"[0-9]"}}})", R"({"a":"x1y"})", ""},
      {"a pattern that is none", R"({"properties":{"a":{"pattern":"("}}})", R"({"a":"x"})", ""},
      {"item counts", R"({"properties":{"a":{"minItems":1,"maxItems":1}}})", R"({"a":[]})",
       "bad_value:/a"},
      {"unique items", R"({"properties":{"a":{"uniqueItems":true}}})", R"({"a":[1,2,1.0]})",
       "bad_value:/a"},
      {"any of: the alternative of the value's type speaks",
       R"({"properties":{"a":{"anyOf":[{"type":"null"},{"type":"object","required":["id"]}]}}})",
       R"({"a":{}})", "missing:/a/id"},
      {"any of: none has the type",
       R"({"properties":{"a":{"anyOf":[{"type":"null"},{"type":"string"}]}}})", R"({"a":1})",
       "wrong_type:/a"},
      {"one of: two fit", R"({"oneOf":[{"type":"object"},{"type":["object","array"]}]})", "{}",
       "bad_value:"},
      {"all of", R"({"allOf":[{"required":["a"]},{"required":["b"]}]})", R"({"a":1})",
       "missing:/b"},
      {"not", R"({"properties":{"a":{"not":{"type":"string"}}}})", R"({"a":"x"})", "bad_value:/a"},
      {"additional properties by schema", R"({"additionalProperties":{"type":"string"}})",
       R"({"a":"x","b":2})", "wrong_type:/b"},
      {"recursive reference", kTree, R"({"value":1,"next":{"value":2,"next":{"value":"x"}}})",
       "wrong_type:/next/next/value"},
      {"a reference that leads nowhere", R"({"$ref":"#/$defs/absent"})", "{}", ""},
      {"a reference elsewhere", R"({"$ref":"https://example.org/x"})", "{}", ""},
      {"pointer is escaped", R"({"properties":{"a/b~c":{"type":"string"}}})", R"({"a/b~c":1})",
       "wrong_type:/a~1b~0c"}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const auto schema = ArgumentSchema::parse(c.schema);
    ASSERT_TRUE(schema.has_value()) << schema.error().message;
    EXPECT_EQ(summary(schema->check(c.arguments)), c.expected) << c.what;
  }
}

TEST(ArgumentSchema, DefaultAcceptsEverything) {
  EXPECT_TRUE(ArgumentSchema().check("{}").empty());
}

TEST(ArgumentSchema, RefusesWhatIsNoSchema) {
  EXPECT_FALSE(ArgumentSchema::parse("").has_value());
  EXPECT_FALSE(ArgumentSchema::parse("{").has_value());
  const auto list = ArgumentSchema::parse("[]");
  ASSERT_FALSE(list.has_value());
  EXPECT_THAT(list.error().message, testing::HasSubstr("array"));
}

TEST(ArgumentSchema, LoopsOfReferencesEnd) {
  const auto loop = ArgumentSchema::parse(R"({"$ref":"#"})");
  ASSERT_TRUE(loop.has_value());
  EXPECT_TRUE(loop->check("{}").empty());
  const auto branching = ArgumentSchema::parse(R"({"anyOf":[{"allOf":[{"$ref":"#"},{"$ref":"#"}]},
    {"allOf":[{"$ref":"#"},{"$ref":"#"}]}],"type":"object"})");
  ASSERT_TRUE(branching.has_value());
  EXPECT_TRUE(branching->check("{}").empty());
}

TEST(ArgumentSchema, DeepAndLargeValuesEnd) {
  const auto schema = ArgumentSchema::parse(
      R"({"$ref":"#/$defs/list","$defs":{"list":{"type":"array","items":{"$ref":"#/$defs/list"}}}})");
  ASSERT_TRUE(schema.has_value());
  const std::string deep = std::string(50'000, '[') + std::string(50'000, ']');
  EXPECT_TRUE(schema->check(deep).empty());
  std::string wide = "[";
  for (int i = 0; i < 1000; ++i) wide += "1,";
  wide += "1]";
  EXPECT_EQ(schema->check(wide).size(), ArgumentSchema::kMaxViolations);
}

TEST(ArgumentSchema, HostilePatternEnds) {
  const auto schema = ArgumentSchema::parse(R"({"pattern":"^(a+)+$"})");
  ASSERT_TRUE(schema.has_value());
  const std::string text = "\"" + std::string(3000, 'a') + "!\"";
  EXPECT_LE(schema->check(text).size(), 1U);
}

TEST(ArgumentSchema, CharactersThatAreNoneDoNotMakeItUnreadable) {
  const auto schema =
      ArgumentSchema::parse(R"({"properties":{"a":{"type":"string","maxLength":2}}})");
  ASSERT_TRUE(schema.has_value());
  EXPECT_EQ(summary(schema->check("{\"a\":\"\xff\"}")), "");
  EXPECT_EQ(summary(schema->check("{\"a\":\"\xed\xa0\x80\"}")), "bad_value:/a");  // three of them
  EXPECT_EQ(summary(schema->check(R"({"a":"\ud83d"})")), "");
  EXPECT_EQ(summary(schema->check(R"({"a":"\uDE00x"})")), "");
  EXPECT_EQ(summary(schema->check(R"({"a":"\ud83d\ude00x"})")), "");
  EXPECT_EQ(summary(schema->check(R"({"a":"\\ud83d"})")),
            "bad_value:/a");  // no escape: six letters
  EXPECT_EQ(summary(schema->check("{\"a\":\"\\")), "wrong_type:");
}

}  // namespace
}  // namespace unmask
