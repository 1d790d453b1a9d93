#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/audit/findings.h"
#include "unmask/base/utf8.h"
#include "unmask/report/character_width.h"
#include "unmask/report/csv_text.h"
#include "unmask/report/markdown_text.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"
#include "unmask/report/text_table.h"

namespace unmask::text {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CharacterWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("int4"), 4);
  EXPECT_EQ(display_width("é"), 1);
  EXPECT_EQ(display_width("e\u0301"), 1);  // combining accent
  EXPECT_EQ(display_width("千問"), 4);
  EXPECT_EQ(display_width("\U0001F600"), 2);
  EXPECT_EQ(display_width("▄│×"), 3);
  EXPECT_EQ(display_width("\xFF\xC3"), 2);  // no UTF-8
}

TEST(CharacterWidth, DecodesOnlyShortestValidForms) {
  for (const char* bad : {"\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                          "\xF8\x88\x80\x80", "\xE2\x82"}) {
    const DecodedCharacter character = decode_character(bad);
    EXPECT_FALSE(character.valid) << bad;
    EXPECT_EQ(character.bytes, 1U);
  }
  for (const char32_t code :
       {U'\u007F', U'\u0080', U'\u07FF', U'\u0800', U'\uFFFF', U'\U00010000', U'\U0010FFFF'}) {
    std::string bytes;
    append_utf8(bytes, code);
    const DecodedCharacter character = decode_character(bytes);
    EXPECT_TRUE(character.valid);
    EXPECT_EQ(character.code_point, code);
    EXPECT_EQ(character.bytes, bytes.size());
  }
}

TEST(TerminalText, MakesDeceptiveCharactersVisible) {
  EXPECT_EQ(safe("plain 千"), "plain 千");
  EXPECT_EQ(safe("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(safe("a\nb\tc\x7f"), "a\\x0ab\\x09c\\x7f");
  EXPECT_EQ(safe("\u202Eabc\u200B"), "\\u{202e}abc\\u{200b}");
  EXPECT_EQ(safe("\xC2\x9B"), "\\u{009b}");  // C1 control sequence introducer
  EXPECT_EQ(safe("\xFFok"), "\\xffok");
  EXPECT_EQ(safe("é", true), "\\u{00e9}");
  EXPECT_EQ(safe("a · b × 2 … ±1 “c” →", true), "a - b x 2 ... +-1 \"c\" ->");
  EXPECT_EQ(safe("a · b", false), "a · b");
  EXPECT_EQ(safe_lines("a\x1b\n\nb\r\n"), "a\\x1b\n\nb\\x0d\n");
  EXPECT_EQ(safe_lines(""), "");
  EXPECT_THAT(hanging_lines("says  ", "one\ntwo\n"),
              ElementsAre("says  one", "      two", "      "));
  EXPECT_THAT(hanging_lines("says  ", ""), ElementsAre("says  "));
}

TEST(TerminalText, TruncatesBetweenCharacters) {
  EXPECT_EQ(truncated("abcdef", 6, "…"), "abcdef");
  EXPECT_EQ(truncated("abcdefg", 6, "…"), "abcde…");
  EXPECT_EQ(truncated("千問千問", 6, "…"), "千問…");  // three columns would split one
  EXPECT_EQ(truncated("abcdef", 2, "..."), "ab");
  EXPECT_EQ(truncated("abc", 0, "…"), "");
  EXPECT_EQ(truncated("", 3, "…"), "");
}

TEST(TerminalText, WrapsAtSpaces) {
  EXPECT_THAT(wrapped("", 10), IsEmpty());
  EXPECT_THAT(wrapped("   ", 10), IsEmpty());
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("K=2 gap", 3), ElementsAre("K=2", "gap"));
  EXPECT_THAT(wrapped("abcdefgh ij", 3), ElementsAre("abc", "def", "gh", "ij"));
  EXPECT_THAT(wrapped("千問千", 3), ElementsAre("千", "問", "千"));
  EXPECT_THAT(wrapped("千", 1), ElementsAre("千"));  // narrower than a character: no endless loop
  EXPECT_THAT(wrapped("a [1,\u00A02] b", 7), ElementsAre("a", "[1, 2]", "b"));
}

TEST(TerminalText, PadsByColumns) {
  EXPECT_EQ(padded_right("千", 4), "千  ");
  EXPECT_EQ(padded_left("é", 3), "  é");
  EXPECT_EQ(padded_left("long", 2), "long");
  EXPECT_EQ(repeated("ab", 3), "ababab");
  EXPECT_EQ(repeated("ab", -1), "");
}

TEST(NumberText, FormatsForPeople) {
  EXPECT_EQ(fixed(-0.04, 1), "0.0");
  EXPECT_EQ(fixed(-0.06, 1), "-0.1");
  EXPECT_EQ(fixed(1e300, 0).size(), 301U);
  // Halves go up, also where binary arithmetic left a trace: a figure reads the same before and
  // after it went through JSON.
  EXPECT_EQ(fixed(3.25, 1), "3.3");
  EXPECT_EQ(fixed(3.2499999999999996, 1), "3.3");
  EXPECT_EQ(fixed(3.2500000000000004, 1), "3.3");
  EXPECT_EQ(fixed(-0.125, 2), "-0.13");
  EXPECT_EQ(fixed(3.249, 1), "3.2");
  EXPECT_EQ(fixed(0.1 + 0.2, 1), "0.3");
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1646), "1,646");
  EXPECT_EQ(grouped(1'234'567), "1,234,567");
  EXPECT_EQ(points(0.1671), "16.7");
  EXPECT_EQ(percent(0.0), "0");
  EXPECT_EQ(percent(0.0018), "0.18");
  EXPECT_EQ(percent(0.00999), "1.0");
  EXPECT_EQ(percent(0.383), "38.3");
  EXPECT_EQ(percent_aligned(0.383), "38.3 ");
  EXPECT_EQ(percent_aligned(0.0038), "0.38");
  EXPECT_EQ(ratio(1.25), "1.25");
  EXPECT_EQ(ratio(1.999), "2.0");
  EXPECT_EQ(ratio(2.54), "2.5");
  EXPECT_EQ(ratio(240.3), "240");
  EXPECT_EQ(p_value({}), "");
  EXPECT_EQ(p_value(0.0009999), "p < 0.001");
  EXPECT_EQ(p_value(0.0444), "p 0.044");
  EXPECT_EQ(p_value(1.0), "p 1.00");
  EXPECT_EQ(stars({}), "");
  EXPECT_EQ(stars(0.05), "");
  EXPECT_EQ(stars(0.049), "*");
  EXPECT_EQ(stars(0.009), "**");
  EXPECT_EQ(stars(0.0001), "***");
}

TEST(ReportWords, IntervalsEndWhereAFigureCanLie) {
  const Figure wide{0.9, -1.2, 1.04, ""};
  EXPECT_EQ(points_interval(wide), " [-100.0, 100.0]");
  EXPECT_EQ(within(wide, 0.0, 1.0), (Figure{0.9, 0.0, 1.0, ""}));
  const Figure bare{0.9, std::nullopt, std::nullopt, "one task: no variance"};
  EXPECT_EQ(within(bare, 0.0, 1.0), bare);
  EXPECT_EQ(points_interval(bare), "");
}

TEST(NumberText, Ordinals) {
  static constexpr std::pair<int, const char*> kCases[] = {
      {1, "1st"},   {2, "2nd"},   {3, "3rd"},   {4, "4th"},    {11, "11th"},
      {12, "12th"}, {13, "13th"}, {21, "21st"}, {112, "112th"}};
  for (const auto& [number, text] : kCases) EXPECT_EQ(ordinal(number), text);
}

TEST(TextTable, AlignsByColumnsAndCutsTheFirst) {
  TextTable table;
  table.columns = {{.header = "name"}, {.header = "n", .align = Align::right}};
  table.rows = {{{"千問"}, {"7"}}, {{"a very long name indeed"}, {"1,234"}}, {{"alone"}}};
  const TextStyle style;
  EXPECT_THAT(table_lines(table, 80, style),
              ElementsAre("name                         n", "千問                         7",
                          "a very long name indeed  1,234", "alone"));
  EXPECT_EQ(table.natural_width(), 30);
  EXPECT_THAT(table_lines(table, 16, style),
              ElementsAre("name           n", "千問           7", "a very l…  1,234", "alone"));
  EXPECT_THAT(table_lines(TextTable{}, 80, style), IsEmpty());
}

TEST(TextTable, ColourDoesNotMoveColumns) {
  TextTable table;
  table.columns = {{.header = "v"}, {.header = "w"}};
  table.rows = {{{"CLEAN", Paint::green}, {"x"}}};
  const TextStyle color{.color = true};
  EXPECT_EQ(table_lines(table, 80, color)[1], "\x1b[1;32mCLEAN\x1b[0m  x");
}

TEST(CsvText, QuotesAndDisarmsFormulas) {
  CsvWriter csv;
  csv.text("plain").text("a,b").text("say \"hi\"").text("two\nlines").text("").end_line();
  csv.text("=1+1").text("+x").text("-x").text("@x").text("\tx").raw("-1.5").end_line();
  EXPECT_EQ(csv.content(),
            "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\n'=1+1,'+x,'-x,'@x,'\tx,-1.5\n");
}

TEST(MarkdownText, EscapesWhatMeansSomething) {
  EXPECT_EQ(markdown_escaped("a|b*c_<d>&\n#"), "a\\|b\\*c\\_&lt;d\\>&amp; \\#");
  EXPECT_EQ(markdown_code("x`y|z"), "`x'y\\|z`");
  EXPECT_EQ(markdown_table({"a", "b"}, "lr", {{"千", "1"}, {"x"}}),
            "| a   |   b |\n| --- | --: |\n| 千  |   1 |\n| x   |     |\n");
}

}  // namespace
}  // namespace unmask::text
