#include "unmask/decisions/context_ids.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace unmask::decisions {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ContextIds, KnowsIdsByTheirDigits) {
  for (const char* id : {"#W12345", "alba_foxglove_4560", "a.b7@example.com", "44741"}) {
    EXPECT_TRUE(looks_like_id(id)) << id;
  }
  for (const char* text : {"", "W12", "no digits", "order 12345", "pending", "1234\n"}) {
    EXPECT_FALSE(looks_like_id(text)) << text;
  }
  EXPECT_FALSE(looks_like_id(std::string(65, '7')));
}

TEST(ContextIds, HasShapesOfLettersAndDigits) {
  EXPECT_EQ(shape_of("#W4705902"), "#a9");
  EXPECT_EQ(shape_of("alba_foxglove_4560"), "a_a_9");
  EXPECT_EQ(shape_of("--"), "--");
  EXPECT_EQ(shape_of(""), "");
}

TEST(ContextIds, AltersTheLastDigit) {
  EXPECT_EQ(altered("#W12a"), "#W13a");
  EXPECT_EQ(altered("9"), "0");
}

TEST(ContextIds, FindsWordsWithoutTheirPunctuation) {
  ContextIds ids;
  ids.add("Order #W1234, please; or (#W77777). By kim_lee_12.");
  ids.add("{\"id\": \"#W1234\", \"zip\": \"44741\"}");
  EXPECT_TRUE(ids.contains("#W77777"));
  EXPECT_TRUE(ids.contains("kim_lee_12"));
  EXPECT_FALSE(ids.contains("#W12"));
  EXPECT_THAT(ids.of_shape("#a9"), ElementsAre("#W77777", "#W1234"));
  EXPECT_THAT(ids.of_shape("9"), ElementsAre("44741"));
  EXPECT_THAT(ids.of_shape("a9"), IsEmpty());
}

}  // namespace
}  // namespace unmask::decisions
