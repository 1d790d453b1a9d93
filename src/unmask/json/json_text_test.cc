#include "unmask/json/json_text.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "unmask/base/check.h"

namespace unmask::json {
namespace {

TEST(JsonText, PutsCommasBetweenMembersAndElementsOnly) {
  std::string out;
  JsonText json(out);
  json.begin_object();
  json.key("empty").begin_array().end_array();
  json.key("list").begin_array().integer(1).null().begin_object().end_object().end_array();
  json.key("raw").raw(R"({"a": 1})");
  json.key("last").boolean(true);
  json.end_object();
  EXPECT_EQ(out, R"({"empty":[],"list":[1,null,{}],"raw":{"a": 1},"last":true})");
}

TEST(JsonText, EscapesWhatJsonForbidsAndNothingElse) {
  std::string out;
  JsonText(out).string("a\"b\\c\n\t\x01 é");
  EXPECT_EQ(out, "\"a\\\"b\\\\c\\n\\t\\u0001 é\"");
}

std::string escaped(char byte) {
  switch (byte) {
    case '"':
    case '\\':
      return {'\\', byte};
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  const auto value = static_cast<unsigned char>(byte);
  if (value >= 0x20) return {byte};
  return {'\\', 'u', '0', '0', value < 0x10 ? '0' : '1', "0123456789abcdef"[value % 16]};
}

/// Eight bytes are looked at together.
TEST(JsonText, EscapesAtAnyPlace) {
  for (std::size_t before = 0; before < 20; ++before) {
    for (std::size_t after = 0; after < 20; ++after) {
      for (int value = 0; value < 256; ++value) {
        const char byte = static_cast<char>(value);
        std::string text(before, 'x');
        std::string expected = "\"" + text;
        text += byte;
        expected += escaped(byte);
        text.append(after, '\x7F');
        expected.append(after, '\x7F');
        expected += '"';
        std::string out;
        JsonText(out).string(text);
        ASSERT_EQ(out, expected) << value;
      }
    }
  }
}

TEST(JsonText, WritesRealsWithAFraction) {
  const auto text = [](double value) {
    std::string out;
    JsonText(out).real(value);
    return out;
  };
  EXPECT_EQ(text(1.0), "1.0");
  EXPECT_EQ(text(-0.5), "-0.5");
  EXPECT_EQ(text(1e300), "1e+300");
  EXPECT_THROW(text(std::numeric_limits<double>::quiet_NaN()), BugError);
}

TEST(JsonText, WritesTheWholeRangeOfIntegers) {
  std::string out;
  JsonText(out).integer(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(out, "-9223372036854775808");
}

}  // namespace
}  // namespace unmask::json
