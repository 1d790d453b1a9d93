#include "unmask/json/split.h"

#include <optional>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace unmask::json {
namespace {

using Members = std::vector<RawMember>;
using Elements = std::vector<std::string_view>;

TEST(SplitObject, GivesMembersAsTheyStand) {
  struct Case {
    std::string_view text;
    Members members;
  };
  const std::vector<Case> cases = {
      {"{}", {}},
      {" \n{ }\t", {}},
      {R"({"a":1})", {{"a", "1"}}},
      {R"({ "a" : -1.50e+07 , "b":null })", {{"a", "-1.50e+07"}, {"b", "null"}}},
      {R"({"a":123456789012345678901234567890})", {{"a", "123456789012345678901234567890"}}},
      {R"({"a":"\ud83d","b":"}{,:\"\\"})", {{"a", R"("\ud83d")"}, {"b", R"("}{,:\"\\")"}}},
      {R"({"a":{"b":[1,{"c":"]"}]},"d":[ ]})", {{"a", R"({"b":[1,{"c":"]"}]})"}, {"d", "[ ]"}}},
      {R"({"a":1,"a":2})", {{"a", "1"}, {"a", "2"}}},
      {R"({"a":"\\\"\n\"","b":"\\","c":"\"\\\\\""})",
       {{"a", R"("\\\"\n\"")"}, {"b", R"("\\")"}, {"c", R"("\"\\\\\"")"}}},
      {R"({"":1,"A\n":NaN})", {{"", "1"}, {"A\n", "NaN"}}},
  };
  for (const Case& sample : cases) {
    EXPECT_EQ(split_object(sample.text), std::optional(sample.members)) << sample.text;
  }
}

TEST(SplitObject, RefusesWhatIsNoObject) {
  for (const std::string_view text : {"",
                                      " ",
                                      "[]",
                                      "1",
                                      "\"a\"",
                                      "{",
                                      "}",
                                      "{]",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{\"a\":1",
                                      "{\"a\":1,}",
                                      "{,}",
                                      "{\"a\":1 \"b\":2}",
                                      "{\"a\":1}}",
                                      "{\"a\":1} x",
                                      "{a:1}",
                                      "{\"a\":\"b}",
                                      "{\"a\":\"\\",
                                      "{\"a\":\"\\\"}",
                                      "{\"a\":\"\\\"\\n\\\"}",
                                      "{\"a\":[1}]}",
                                      "{\"a\":[1}",
                                      "{\"a\":{]}"}) {
    EXPECT_FALSE(split_object(text)) << text;
  }
}

TEST(SplitArray, GivesElementsAsTheyStand) {
  EXPECT_EQ(split_array("[]"), Elements());
  EXPECT_EQ(split_array(" [ 1 , \"a,]\" ,[2,3],{\"b\":[]}] "),
            (Elements{"1", "\"a,]\"", "[2,3]", "{\"b\":[]}"}));
  for (const std::string_view text : {"", "{}", "[", "[1", "[1,", "[1,]", "[,]", "[1 2]", "[1]]"}) {
    EXPECT_FALSE(split_array(text)) << text;
  }
}

}  // namespace
}  // namespace unmask::json
