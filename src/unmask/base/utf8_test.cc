#include "unmask/base/utf8.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace unmask {
namespace {

TEST(Utf8, LengthRefusesWhatIsNoScalarValue) {
  EXPECT_EQ(utf8_length("a"), 1U);
  EXPECT_EQ(utf8_length("\xC3\xA9"), 2U);
  EXPECT_EQ(utf8_length("\xE2\x82\xAC"), 3U);
  EXPECT_EQ(utf8_length("\xF4\x8F\xBF\xBF"), 4U);
  for (const std::string_view bad : {"", "\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80",
                                     "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82"}) {
    EXPECT_EQ(utf8_length(bad), 0U);
  }
}

TEST(Utf8, EachLengthIsWritten) {
  struct Case {
    std::uint32_t code_point;
    std::string_view bytes;
  };
  for (const Case& given :
       {Case{0x7F, "\x7F"}, Case{0x80, "\xC2\x80"}, Case{0x7FF, "\xDF\xBF"},
        Case{0x800, "\xE0\xA0\x80"}, Case{0xD800, "\xED\xA0\x80"}, Case{0xFFFF, "\xEF\xBF\xBF"},
        Case{0x10000, "\xF0\x90\x80\x80"}, Case{0x10FFFF, "\xF4\x8F\xBF\xBF"}}) {
    std::string out;
    append_utf8(out, given.code_point);
    EXPECT_EQ(out, given.bytes);
  }
}

TEST(Utf8, EscapesMakeUpCharacters) {
  struct Case {
    std::string_view text;
    std::optional<std::uint32_t> code_point;
    std::size_t length;
  };
  for (const Case& given :
       {Case{R"(\u00e9 and more)", 0xE9, 6}, Case{R"(\uD83D\uDE00)", 0x1F600, 12},
        Case{R"(\uD83D\u0041)", 0xD83D, 6}, Case{R"(\uDE00\uD83D)", 0xDE00, 6},
        Case{R"(\uD83D)", 0xD83D, 6}, Case{R"(\u12)", std::nullopt, 0},
        Case{R"(\u-123)", std::nullopt, 0}, Case{R"(\n)", std::nullopt, 0},
        Case{"", std::nullopt, 0}}) {
    const std::optional<UnicodeEscape> escape = unicode_escape(given.text);
    ASSERT_EQ(escape.has_value(), given.code_point.has_value()) << given.text;
    if (!escape) continue;
    EXPECT_EQ(escape->code_point, *given.code_point) << given.text;
    EXPECT_EQ(escape->length, given.length) << given.text;
  }
}

}  // namespace
}  // namespace unmask
