#include "unmask/world/text_index.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "unmask/world/same_text.h"
#include "unmask/world/text_buffer.h"

namespace unmask::world {
namespace {

TEST(TextIndex, FindsWhatWasPutIn) {
  TextIndex index;
  EXPECT_EQ(index.find(""), std::nullopt);
  constexpr std::size_t kTexts = 3000;
  // Of all lengths from 1 on, many with common beginnings or ends.
  const auto text_of = [](std::size_t i) {
    return std::string(i % 37, 'x') + std::to_string(i) + std::string(i % 5, 'y');
  };
  for (std::size_t i = 0; i < kTexts; ++i) index.emplace(text_of(i), i);
  EXPECT_EQ(index.size(), kTexts);
  for (std::size_t i = 0; i < kTexts; ++i) {
    EXPECT_EQ(index.find(text_of(i)), i);
    EXPECT_EQ(index.find(text_of(i) + "z"), std::nullopt);
  }
}

TEST(TextIndex, TheFirstNumberStays) {
  TextIndex index;
  index.emplace("a", 1);
  index.emplace("a", 2);
  index.emplace("", 3);
  EXPECT_EQ(index.find("a"), 1U);
  EXPECT_EQ(index.find(""), 3U);
  EXPECT_EQ(index.size(), 2U);
}

TEST(SameText, IsEquality) {
  const std::string text = "0123456789abcdefghijklmnop";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string_view left = std::string_view(text).substr(0, size);
    EXPECT_TRUE(same_text(left, std::string(left)));
    EXPECT_FALSE(same_text(left, std::string(left) + "?"));
    for (std::size_t at = 0; at < size; ++at) {
      std::string other(left);
      other[at] = '?';
      EXPECT_FALSE(same_text(left, other)) << size << " " << at;
      EXPECT_NE(hash_of_text(left), hash_of_text(other)) << size << " " << at;
    }
  }
}

TEST(TextBuffer, GrowsAndShrinks) {
  const std::string long_text(10000, 'a');
  EXPECT_EQ(built_text([&](TextBuffer& out) {
              out += "ab";
              out += 'c';
              out.remove_last(2);
              out += std::string_view();
              out += long_text;
              out += std::string_view("z");
            }),
            "a" + long_text + "z");
  EXPECT_EQ(built_text([](TextBuffer&) {}), "");
  EXPECT_EQ(concatenated({"a", "", "bc"}), "abc");
}

}  // namespace
}  // namespace unmask::world
