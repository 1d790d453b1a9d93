#include "unmask/local/gguf_file.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/base/rng.h"
#include "unmask/local/gguf_fixtures.h"

namespace unmask::local {
namespace {

using ::testing::HasSubstr;

class GgufFileTest : public ::testing::Test {
 protected:
  Result<GgufFile> read(const std::string& bytes) {
    return read_gguf(folder_.write("model.gguf", bytes));
  }

  unmask::fixtures::TemporaryFolder folder_;
};

TEST_F(GgufFileTest, SaysWhatTheModelIs) {
  const Result<GgufFile> file = read(fixtures::gguf_bytes({}));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->architecture, "llama");
  EXPECT_EQ(file->name, "tiny");
  EXPECT_EQ(file->context_tokens, 256U);
  EXPECT_EQ(file->vocabulary_tokens, 261U);
  EXPECT_THAT(file->chat_template, HasSubstr("<|im_start|>"));
  ASSERT_EQ(file->types.size(), 1U);
  EXPECT_EQ(main_type(*file), "f32");
  EXPECT_EQ(file->types[0].tensors, 21U);
  EXPECT_EQ(file->bits_per_weight(), 32.0);
  EXPECT_EQ(precision_text(*file), "32.00 bits a weight (f32 100 %)");
}

TEST_F(GgufFileTest, NamesTheShareOfEachType) {
  const GgufFile file{.types = {{"q4_0", 3, 3200, 1800}, {"q8_0", 1, 800, 850}, {"f32", 2, 4, 16}}};
  EXPECT_EQ(precision_text(file), "5.33 bits a weight (q4_0 80 %, q8_0 20 %)");
  const GgufFile rounded{.types = {{"f16", 3, 3200, 6400}}, .simulated_bits = 3};
  EXPECT_EQ(precision_text(rounded), "simulated 3-bit, stored in 16.00 bits a weight (f16 100 %)");
  EXPECT_EQ(main_type(rounded), "simulated 3-bit");
  EXPECT_EQ(precision_text({}), "no weights");
  EXPECT_EQ(main_type({}), "");
  EXPECT_EQ(GgufFile().bits_per_weight(), 0.0);
}

TEST_F(GgufFileTest, RefusesWhatIsNoGguf) {
  struct Case {
    std::string_view name;
    std::string bytes;
    std::string_view says;
  };
  std::string old_version = fixtures::gguf_bytes({});
  old_version[4] = 1;
  const std::vector<Case> cases = {
      {"empty", "", "no GGUF file"},
      {"text", "a model, perhaps", "no GGUF file"},
      {"magic alone", "GGUF", "cut short"},
      {"old version", old_version, "version 1 is not known"},
      {"unknown type", fixtures::gguf_bytes({.known_type = false}),
       "type that is not known (4711)"},
  };
  for (const Case& each : cases) {
    const Result<GgufFile> file = read(each.bytes);
    ASSERT_FALSE(file) << each.name;
    EXPECT_EQ(file.error().code, ErrorCode::bad_input) << each.name;
    EXPECT_THAT(file.error().message, HasSubstr(each.says)) << each.name;
    EXPECT_THAT(file.error().message, HasSubstr("model.gguf")) << each.name;
  }
}

TEST_F(GgufFileTest, RefusesAFileThatIsNotThere) {
  const Result<GgufFile> file = read_gguf(folder_.path() / "none.gguf");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::outside);
}

TEST_F(GgufFileTest, RefusesEachCutOfTheFile) {
  const std::string whole = fixtures::gguf_bytes({});
  for (std::size_t length = 0; length < whole.size();
       length += length < 12'000 ? 97 : whole.size() / 7) {
    EXPECT_FALSE(read(whole.substr(0, length))) << length;
  }
  EXPECT_FALSE(read(whole.substr(0, whole.size() - 1)));
  EXPECT_TRUE(read(whole));
}

// A head with bytes changed at random is read or refused, but never makes the reader run wild.
TEST_F(GgufFileTest, SurvivesDamage) {
  const std::string whole = fixtures::gguf_bytes({});
  Rng random(7, "damage");
  int refused = 0;
  constexpr int kTries = 300;
  for (int i = 0; i < kTries; ++i) {
    std::string damaged = whole;
    for (int j = 0; j < 8; ++j) {
      damaged[random.below(9'000)] = static_cast<char>(random.below(256));
    }
    if (!read(damaged)) ++refused;
  }
  EXPECT_GT(refused, kTries / 4);
}

}  // namespace
}  // namespace unmask::local
