#include "unmask/world/value.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/python_number.h"
#include "unmask/world/python_text.h"
#include "unmask/world/text_buffer.h"

namespace unmask::world {
namespace {

Value parsed(std::string_view text) {
  const Result<Value> value = parse_json(text);
  EXPECT_TRUE(value.has_value()) << text << ": " << value.error().message;
  return value.value_or(Value());
}

TEST(PythonNumber, FloatsAreLaidOutAsPythonDoes) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const struct {
    double value;
    std::string_view text;
  } cases[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {46, "46.0"},
      {0.1, "0.1"},
      {1234.5, "1234.5"},
      {0.0001, "0.0001"},
      {0.00001, "1e-05"},
      {1.25e-7, "1.25e-07"},
      {9999999999999998.0, "9999999999999998.0"},
      {1e16, "1e+16"},
      {1.2345678901234568e29, "1.2345678901234568e+29"},
      {-2.5e-310, "-2.5e-310"},
      {std::numeric_limits<double>::max(), "1.7976931348623157e+308"},
      {5e-324, "5e-324"},
      {kInfinity, "inf"},
      {-kInfinity, "-inf"},
      {std::numeric_limits<double>::quiet_NaN(), "nan"},
  };
  for (const auto& example : cases) EXPECT_EQ(python_float(example.value), example.text);
}

TEST(PythonNumber, RoundsTheExactBinaryValueToEven) {
  const struct {
    double value;
    double rounded;
  } cases[] = {{2.675, 2.67}, {1.005, 1.0},   {0.125, 0.12},  {0.375, 0.38},
               {0.015, 0.01}, {12.34, 12.34}, {1e300, 1e300}, {-1.996, -2.0}};
  for (const auto& example : cases) EXPECT_EQ(round2(example.value), example.rounded);
  EXPECT_EQ(python_float(round2(-0.001)), "-0.0");
  EXPECT_EQ(python_float(round2(std::numeric_limits<double>::max())), "1.7976931348623157e+308");
  EXPECT_TRUE(std::isnan(round2(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_TRUE(std::isinf(round2(-std::numeric_limits<double>::infinity())));
}

TEST(Value, ReadsJsonAsPythonDoes) {
  EXPECT_EQ(parsed(" 12 ").type(), Type::integer);
  EXPECT_EQ(parsed("12.0").type(), Type::real);
  EXPECT_EQ(parsed("1e2").type(), Type::real);
  EXPECT_EQ(*parsed("-9223372036854775808").integer(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parsed("9223372036854775808").large_integer()->digits, "9223372036854775808");
  EXPECT_EQ(*parsed("1e999").real(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(*parsed("-1" + std::string(400, '0') + ".0").real(),
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(*parsed("0." + std::string(400, '0') + "1").real(), 0.0);
  EXPECT_EQ(*parsed("1e-999").real(), 0.0);
  EXPECT_EQ(*parsed("0.0e99999999999999999999").real(), 0.0);
  EXPECT_EQ(*parsed("-Infinity").real(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(*parsed("NaN").real()));
  EXPECT_EQ(*parsed(R"("\ud83d\ude00\ud83d\u00e9\/")").string(),
            "\xF0\x9F\x98\x80\xED\xA0\xBD\xC3\xA9/");
  EXPECT_EQ(dump_json(parsed(R"({"b":1,"a":2,"b":3})")), R"({"b": 3, "a": 2})");
}

TEST(Value, RepeatedKeysOfLargeObjectsKeepTheFirstPlace) {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += "\"k" + std::to_string(i) + "\": 0, ";
  text += R"("k5": 5, "k70": 7})";
  const Value value = parsed(text);
  ASSERT_EQ(value.object()->size(), 100U);
  EXPECT_EQ(*value.find("k5")->integer(), 5);
  EXPECT_EQ(*value.find("k70")->integer(), 7);
  EXPECT_EQ((value.object()->begin() + 5)->key, "k5");
}

TEST(Value, RefusesWhatPythonRefuses) {
  const struct {
    std::string text;
    std::string_view message;
  } cases[] = {
      {"", "line 1, column 1: the text ends where a value is due"},
      {"[1,]", "line 1, column 4: a value is due here"},
      {"[1\n 2]", "line 2, column 2: `,` or `]` is due here"},
      {"{\"a\" 1}", "line 1, column 6: `:` is due here"},
      {"{a: 1}", "line 1, column 2: a key in double quotes is due here"},
      {"01", "line 1, column 2: more text after the value"},
      {"1.", "line 1, column 2: more text after the value"},
      {"-", "line 1, column 2: a digit is due here"},
      {"\"\t\"", "line 1, column 2: a control character within a string"},
      {"\"\\x\"", "line 1, column 3: an escape that JSON does not know"},
      {"\"\\u12g4\"", "line 1, column 3: four hexadecimal digits are due here"},
      {"\"\xFF\"", "line 1, column 2: a byte that is no UTF-8"},
      {"\"abc", "line 1, column 5: the text ends within a string"},
      {"nul", "line 1, column 1: a value is due here"},
      {std::string(4301, '1'), "line 1, column 4302: an integer of more than 4300 digits"},
      {std::string(2000, '['), "line 1, column 1002: nested more than 1000 levels deep"},
  };
  for (const auto& example : cases) {
    const Result<Value> value = parse_json(example.text);
    ASSERT_FALSE(value.has_value()) << example.text;
    EXPECT_EQ(value.error().message, example.message);
  }
}

TEST(Value, ComparesAcrossKindsByExactValue) {
  const struct {
    std::string_view left;
    std::string_view right;
    bool equal;
  } cases[] = {
      {"1", "1.0", true},
      {"1", "true", true},
      {"0.0", "false", true},
      {"0.0", "-0.0", true},
      {"\"1\"", "1", false},
      {"null", "0", false},
      {"null", "null", true},
      {"9007199254740993", "9007199254740992.0", false},
      {"9007199254740993", "9007199254740993", true},
      {"100000000000000000000", "1e20", true},
      {"100000000000000000001", "1e20", false},
      {"1", "NaN", false},
      {"NaN", "NaN", false},
      {"[NaN]", "[NaN]", true},
      {"5", "Infinity", false},
      {"[1, 2]", "[1.0, 2]", true},
      {"[1, 2]", "[2, 1]", false},
      {"[1]", "[1, 2]", false},
      {R"({"a": 1, "b": [true]})", R"({"b": [1], "a": 1.0})", true},
      {R"({"a": 1})", R"({"b": 1})", false},
      {"{}", "[]", false},
      {"1.5", "1", false},
  };
  for (const auto& example : cases) {
    EXPECT_EQ(python_equal(parsed(example.left), parsed(example.right)), example.equal)
        << example.left << " == " << example.right;
  }
}

TEST(Value, OrdersNumbers) {
  EXPECT_TRUE(python_less(parsed("1"), parsed("1.5")));
  EXPECT_TRUE(python_less(parsed("-100000000000000000000"), parsed("-1")));
  EXPECT_TRUE(python_less(parsed("1e300"), parsed("Infinity")));
  EXPECT_TRUE(python_less(parsed("-1.5"), parsed("-1")));
  EXPECT_FALSE(python_less(parsed("-1"), parsed("-1.5")));
  EXPECT_FALSE(python_less(parsed("1"), parsed("true")));
  EXPECT_FALSE(python_less(parsed("NaN"), parsed("1")));
  EXPECT_FALSE(python_less(parsed("\"a\""), parsed("1")));
}

TEST(Value, ConvertsIntegersToTheNearestDouble) {
  EXPECT_EQ(to_double(parsed("true")), 1.0);
  EXPECT_EQ(to_double(parsed("9007199254740993")), 9007199254740992.0);
  // A tie broken by a digit far behind: 2^64 + 2^11 lies between two doubles.
  EXPECT_EQ(to_double(parsed("18446744073709553664")), 18446744073709551616.0);
  EXPECT_EQ(to_double(parsed("18446744073709553665")), 18446744073709555712.0);
  EXPECT_EQ(to_double(parsed("-18446744073709553665")), -18446744073709555712.0);
  EXPECT_EQ(to_double(parsed("1" + std::string(308, '0'))), 1e308);
  EXPECT_FALSE(to_double(parsed("1" + std::string(309, '0'))));
  EXPECT_FALSE(to_double(parsed("2" + std::string(308, '0'))));
  EXPECT_FALSE(to_double(parsed("\"1\"")));
}

TEST(Value, WritesReprAndStr) {
  const struct {
    std::string_view json;
    std::string_view repr;
  } cases[] = {
      {"null", "None"},
      {"[]", "[]"},
      {"{}", "{}"},
      {R"([true, 1, 2.50, "a", {"k": null, "l": []}])",
       "[True, 1, 2.5, 'a', {'k': None, 'l': []}]"},
      {R"("it's")", R"("it's")"},
      {R"("a\"'")", R"('a"\'')"},
      {R"("\\\n\r\t\u0001\u007f")", R"('\\\n\r\t\x01\x7f')"},
      {R"("\u00a0\u00e9\u200b\u2028\ufeff")", "'\\xa0\xC3\xA9\\u200b\\u2028\\ufeff'"},
      {R"("\ud800")", R"('\ud800')"},
      {R"("\udb40\udc01\ud83d\ude00")", "'\\U000e0001\xF0\x9F\x98\x80'"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
  };
  for (const auto& example : cases) EXPECT_EQ(python_repr(parsed(example.json)), example.repr);
  EXPECT_EQ(python_str(parsed("\"a'b\"")), "a'b");
  EXPECT_EQ(python_str(parsed("[\"a\"]")), "['a']");
  EXPECT_EQ(type_name(parsed("12345678901234567890123")), "int");
}

TEST(JsonDump, EscapesAllButPrintableAscii) {
  const std::string text =
      R"({"b": ["\"\\\n\r\t\b\f\u0001\u007f/\u00e9\ud83d\ude00\ud800"], "a": NaN})";
  EXPECT_EQ(dump_json(parsed(text)), text);
  EXPECT_EQ(dump_sorted_json(parsed(R"({"b": {"z": 1, "\u00e9": 2, "y": 1.0}, "a": -Infinity})")),
            R"({"a": -Infinity, "b": {"y": 1.0, "z": 1, "\u00e9": 2}})");
}

TEST(PythonText, LowersByUnicode) {
  EXPECT_EQ(python_lower("MiXed 12"), "mixed 12");
  EXPECT_EQ(python_lower("\xE2\x84\xAA\xC4\xB0\xC3\x89\xC4\x80\xC4\x81"),
            "ki\xCC\x87\xC3\xA9\xC4\x81\xC4\x81");
  EXPECT_EQ(python_lower("\xED\xA0\x80\xFF"), "\xED\xA0\x80\xFF");
}

TEST(PythonText, CountsCodePointsAndBlanks) {
  EXPECT_EQ(code_point_count("a\xC3\xA9\xF0\x9F\x98\x80\xED\xA0\x80"), 4U);
  EXPECT_TRUE(is_blank(" \t\xE2\x80\x83\xC2\x85"));
  EXPECT_TRUE(is_blank(""));
  EXPECT_FALSE(is_blank(" \xE2\x80\x8B"));
}

/// Against to_chars and from_chars, digit for digit: amounts of money, values beside them and
/// beside halves of a cent, which take a short way or the long one.
TEST(PythonNumber, ShortWaysGiveWhatTheLongOnesGive) {
  const auto check = [](double value) {
    std::array<char, 400> buffer;
    const auto fixed = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                     std::chars_format::fixed, 2);
    const std::string two(buffer.data(), fixed.ptr);
    EXPECT_EQ(two_decimals(value), two);
    EXPECT_EQ(built_text([value](TextBuffer& out) { append_two_decimals(out, value); }), two);
    double rounded = 0;
    std::from_chars(two.data(), two.data() + two.size(), rounded);
    EXPECT_EQ(python_float(round2(value)), python_float(rounded)) << two;
    if (std::fabs(value) < 1e-4 || std::fabs(value) >= 1e16) return;
    const auto shortest = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                        std::chars_format::fixed);
    std::string text(buffer.data(), shortest.ptr);
    if (text.find('.') == std::string::npos) text += ".0";
    EXPECT_EQ(python_float(value), text);
  };
  std::uint64_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const double magnitude = std::pow(10, static_cast<double>(i % 19) - 2);
    const double random = static_cast<double>(state >> 11U) * 0x1p-53 * magnitude;
    const double cents = std::rint(random * 100) / 100;
    for (const double near : {random, cents, cents + 0.005, cents + 0.0049999}) {
      for (const double value : {near, std::nextafter(near, 1e300), std::nextafter(near, -1e300)}) {
        check(value);
        check(-value);
      }
    }
  }
}

}  // namespace
}  // namespace unmask::world
