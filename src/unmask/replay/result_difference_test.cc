#include "unmask/replay/result_difference.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace unmask::replay {
namespace {

TEST(ResultDifference, FindsTheFirstPlace) {
  struct Case {
    std::string recorded, replayed;
    std::optional<ResultDifference> expected;
  };
  const std::vector<Case> cases = {
      {"", "", std::nullopt},
      {"a", "a", std::nullopt},
      {R"({"a": 1, "b": 2})", R"({"b":2.0,"a":true})", std::nullopt},
      {"a", "", ResultDifference{"", "a", ""}},
      {"Error: x", R"({"a": 1})", ResultDifference{"", "Error: x", R"({"a": 1})"}},
      {"12", "13", ResultDifference{"", "12", "13"}},
      {R"({"a": 1})", R"({"a": "1"})", ResultDifference{"a", "1", R"("1")"}},
      {R"({"a": [{"b": 1}, {"b": 2}]})", R"({"a": [{"b": 1}, {"b": 3}]})",
       ResultDifference{"a[].b", "2", "3"}},
      {R"({"a": 1, "b": null})", R"({"a": 1})", ResultDifference{"b", "null", "(absent)"}},
      {R"({"a": 1})", R"({"a": 1, "c": []})", ResultDifference{"c", "(absent)", "[]"}},
      {"[1, 2]", "[1]", ResultDifference{"[]", "2", "(absent)"}},
      {"[]", "[{}]", ResultDifference{"[]", "(absent)", "{}"}},
      {"[]", "{}", ResultDifference{"", "[]", "{}"}},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(difference_of(test.recorded, test.replayed), test.expected)
        << test.recorded << " / " << test.replayed;
  }
}

TEST(ResultDifference, LongTextsAreCutAtCharacters) {
  const std::string same(300, 'a');
  EXPECT_EQ(around_difference(same + "x", same + "y"), "..." + std::string(40, 'a') + "x");
  std::string accents;
  for (int i = 0; i < 200; ++i) accents += "é";
  const std::string cut = around_difference(accents + "x", accents + "y");
  EXPECT_EQ(cut, "..." + accents.substr(0, 40) + "x");
  EXPECT_EQ(around_difference("x" + accents, "y" + accents),
            "x" + accents.substr(0, 158) + "...");  // 160 bytes would end within a character
  EXPECT_EQ(around_difference("", "a"), "");
}

TEST(ResultDifference, DrawnIdsAreToldFromOthers) {
  EXPECT_TRUE(same_but_for_drawn_ids(R"({"id": "B0123abcd"})", R"({"id": "Bffffffff"})"));
  EXPECT_TRUE(same_but_for_drawn_ids("Bill B0123abcd.", "Bill Bffffffff."));
  EXPECT_FALSE(same_but_for_drawn_ids(R"({"id": "B0123abcd"})", R"({"id": "B1001"})"));
  EXPECT_FALSE(same_but_for_drawn_ids("B0123abcde", "Bffffffffe"));
  EXPECT_FALSE(same_but_for_drawn_ids("xB0123abcd", "xBffffffff"));
  EXPECT_FALSE(same_but_for_drawn_ids("B0123ABCD", "Bffffffff"));
  EXPECT_FALSE(same_but_for_drawn_ids("B0123abcd 1", "Bffffffff 2"));
}

}  // namespace
}  // namespace unmask::replay
