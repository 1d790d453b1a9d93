#include "unmask/world/gunzip.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "unmask/base/error.h"

namespace unmask::world {
namespace {

using std::string_view_literals::operator""sv;

// `hi` and nothing, each packed by gzip -n.
constexpr std::string_view kHi =
    "\x1f\x8b\x08\0\0\0\0\0\0\x03\xcb\xc8\x04\0\xac\x2a\x93\xd8\x02\0\0\0"sv;
constexpr std::string_view kNothing = "\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0"sv;

TEST(Gunzip, Members) {
  EXPECT_EQ(gunzip(kHi, "f").value(), "hi");
  EXPECT_EQ(gunzip(kNothing, "f").value(), "");
  EXPECT_EQ(gunzip(std::string(kHi) + std::string(kHi), "f").value(), "hihi");
}

TEST(Gunzip, DamageIsNamed) {
  for (const std::string_view damaged : {""sv, "hi"sv, kHi.substr(0, 15), kHi.substr(0, 20)}) {
    const auto bytes = gunzip(damaged, "t.gz");
    ASSERT_FALSE(bytes.has_value());
    EXPECT_EQ(bytes.error().code, ErrorCode::bad_input);
    EXPECT_TRUE(bytes.error().message.starts_with("t.gz: damaged gzip data after "));
  }
}

}  // namespace
}  // namespace unmask::world
