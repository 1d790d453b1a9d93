#include "unmask/base/near_names.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace unmask {
namespace {

using Names = std::vector<std::string>;

const Names kCommands = {"audit", "inspect", "diagnose", "card", "study", "help"};

TEST(EditDistance, Table) {
  EXPECT_EQ(edit_distance("", "", 2), 0U);
  EXPECT_EQ(edit_distance("", "ab", 2), 2U);
  EXPECT_EQ(edit_distance("abc", "", 2), 3U);
  EXPECT_EQ(edit_distance("abcd", "acbd", 2), 1U);
  EXPECT_EQ(edit_distance("ca", "abc", 5), 3U);  // optimal string alignment
  EXPECT_EQ(edit_distance("kitten", "sitting", 3), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 2), 3U);
  EXPECT_EQ(edit_distance("abcdefgh", "hgfedcba", 1), 2U);
}

/// The early end must not change a value: against the recurrence without it.
TEST(EditDistance, AgreesWithTheUnboundedRecurrence) {
  std::vector<std::string> words = {""};
  for (std::size_t from = 0, length = 0; length < 5; ++length) {
    const std::size_t to = words.size();
    for (; from < to; ++from) {
      for (const char c : {'a', 'b'}) words.push_back(words[from] + c);
    }
  }
  for (const std::string& a : words) {
    for (const std::string& b : words) {
      const std::size_t exact = edit_distance(a, b, 100);
      for (const std::size_t limit : {0U, 1U, 2U}) {
        ASSERT_EQ(edit_distance(a, b, limit), std::min<std::size_t>(exact, limit + 1)) << a << b;
      }
    }
  }
}

TEST(NearNames, SlipsOfTheFingers) {
  EXPECT_EQ(near_names("audti", kCommands), Names({"audit"}));
  EXPECT_EQ(near_names("INSPECT", kCommands), Names({"inspect"}));
  EXPECT_EQ(near_names("diagnos", kCommands), Names({"diagnose"}));
  EXPECT_EQ(near_names("carf", kCommands), Names({"card"}));
}

TEST(NearNames, BeginningsOfThreeLettersCount) {
  const Names files = {"bf16-telecom-full-run.json", "int4.json"};
  EXPECT_EQ(near_names("bf16", files), Names({"bf16-telecom-full-run.json"}));
  EXPECT_EQ(near_names("bf", files), Names());
}

TEST(NearNames, TheNearestComesFirstAndEachOnce) {
  const Names known = {"bf16.jsonl", "bf61.json", "bf16.json", "bf16.json", "bf15.json", "zebra"};
  EXPECT_EQ(near_names("bf16.json", known, 2), Names({"bf16.json", "bf16.jsonl"}));
}

TEST(NearNames, NothingIsNear) {
  EXPECT_EQ(near_names("", kCommands), Names());
  EXPECT_EQ(near_names("x", kCommands), Names());
  EXPECT_EQ(near_names("x", Names{"y"}), Names());  // all of it would be another letter
  EXPECT_EQ(near_names("frobnicate", kCommands), Names());
  EXPECT_EQ(near_names(std::string(100000, 'a'), Names{std::string(100000, 'a')}), Names());
  EXPECT_EQ(near_names("audit", {}), Names());
}

TEST(NearNames, Sentence) {
  EXPECT_EQ(did_you_mean("audti", kCommands), "; did you mean audit?");
  EXPECT_EQ(did_you_mean("ab", Names{"aa", "bb"}), "; did you mean aa or bb?");
  EXPECT_EQ(did_you_mean("frobnicate", kCommands), "");
}

}  // namespace
}  // namespace unmask
