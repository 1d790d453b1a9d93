// Texts in forms that others define: times, strings of TOML.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/iso_time.h"
#include "unmask/base/toml_text.h"

namespace unmask {
namespace {

TEST(IsoTime, WritesAndReadsTimes) {
  for (const auto& [time, text] : std::vector<std::pair<std::int64_t, std::string>>{
           {0, "1970-01-01T00:00:00"},
           {1'000'001, "1970-01-01T00:00:01.000001"},
           {951'782'399'500'000, "2000-02-28T23:59:59.500000"},
           {1'796'048'620'000'000, "2026-11-30T14:23:40"}}) {
    EXPECT_EQ(iso_time(time), text);
    EXPECT_EQ(time_of_iso(text), time);
  }
  for (const char* const text : {"", "2026", "2026-13-01T00:00:00", "2026-02-30T00:00:00",
                                 "2026-01-01T00:00:00.1", "2026-01-01Tab:00:00"}) {
    EXPECT_EQ(time_of_iso(text), std::nullopt) << text;
  }
}

TEST(TomlString, EscapesWhatABasicStringMayNotHold) {
  EXPECT_EQ(toml_string(""), "\"\"");
  EXPECT_EQ(toml_string("a \"b\" \\ \u00e9"), "\"a \\\"b\\\" \\\\ \u00e9\"");
  EXPECT_EQ(toml_string("\n\t\x1f\x7f"), "\"\\u000A\\u0009\\u001F\\u007F\"");
}

}  // namespace
}  // namespace unmask
