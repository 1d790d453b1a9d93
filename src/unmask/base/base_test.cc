#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/base/clock.h"
#include "unmask/base/diagnostics.h"
#include "unmask/base/interner.h"
#include "unmask/base/joined.h"
#include "unmask/base/rng.h"
#include "unmask/base/sha256.h"
#include "unmask/base/twelve_digits.h"

namespace unmask {
namespace {

TEST(Clock, TheMachines) {
  const SystemClock clock;
  EXPECT_GT(clock.wall_microseconds(), 1'600'000'000'000'000);
  const double before = clock.monotonic_seconds();
  EXPECT_GE(clock.monotonic_seconds(), before);
}

TEST(Clock, ByHand) {
  ManualClock clock(7);
  EXPECT_EQ(clock.wall_microseconds(), 7);
  clock.pass(1.5);
  EXPECT_EQ(clock.wall_microseconds(), 1'500'007);
  EXPECT_EQ(clock.monotonic_seconds(), 1.5);
  clock.set_wall(3);
  EXPECT_EQ(clock.wall_microseconds(), 3);
  EXPECT_EQ(clock.monotonic_seconds(), 1.5);
}

TEST(Check, ThrowsWithTheConditionAndThePlace) {
  try {
    UNMASK_CHECK(1 + 1 == 3);
    FAIL() << "no exception";
  } catch (const BugError& error) {
    EXPECT_NE(std::string(error.what()).find("1 + 1 == 3"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("base_test.cc"), std::string::npos);
  }
}

TEST(Sha256, MatchesThePublishedVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 pieces;
  pieces.update("a");
  pieces.update("bc");
  EXPECT_EQ(pieces.hex_digest(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Diagnostics, KeepsTwentyPerFileAndCodeAndCountsAll) {
  Diagnostics diagnostics;
  for (int i = 0; i < 50; ++i) diagnostics.add({.code = "x", .file = "a", .sentence = "s"});
  diagnostics.add({.code = "x", .file = "b", .sentence = "s"});
  EXPECT_EQ(diagnostics.kept().size(), 21U);
  EXPECT_EQ(diagnostics.count("x"), 51U);
  EXPECT_FALSE(diagnostics.any_warning());
  Diagnostics all;
  all.add({.code = "y", .severity = Severity::data_loss, .file = "a", .sentence = "s"});
  all.merge(diagnostics);
  EXPECT_EQ(all.count("x"), 51U);
  EXPECT_EQ(all.count("y"), 1U);
  EXPECT_TRUE(all.any_warning());
}

TEST(Joined, PutsTheSeparatorBetween) {
  EXPECT_EQ(joined(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(joined(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(joined(std::vector<std::string_view>{"", "b", ""}, ", "), ", b, ");
}

TEST(TwelveDigits, LeavesNoNoise) {
  EXPECT_EQ(twelve_digits(0.1 + 0.2), 0.3);
  EXPECT_EQ(twelve_digits(123456789012.6), 123456789013.0);
  EXPECT_EQ(twelve_digits(0.5), 0.5);
  EXPECT_FALSE(std::signbit(twelve_digits(-0.0)));
  EXPECT_EQ(twelve_digits(std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(twelve_digits(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Interner, NumbersByFirstAppearanceAndSurvivesACopy) {
  Interner interner;
  EXPECT_EQ(interner.intern("a"), 0U);
  EXPECT_EQ(interner.intern("b"), 1U);
  EXPECT_EQ(interner.intern("a"), 0U);
  Interner copy = interner;
  interner = Interner();
  EXPECT_EQ(copy.intern("b"), 1U);
  EXPECT_EQ(copy.text(1), "b");
}

// The values pin the generator: a change of them changes every figure that uses randomness.
TEST(Rng, FixedBits) {
  Rng rng(kDefaultSeed, "test", 0);
  for (const std::uint32_t expected :
       {2152858037U, 1279593198U, 3685495332U, 3980252944U, 3349623261U}) {
    EXPECT_EQ(rng.next_u32(), expected);
  }
  EXPECT_DOUBLE_EQ(Rng(kDefaultSeed, "test", 7).normal(), -0.8324387091386215);
  EXPECT_NE(Rng(kDefaultSeed, "tesu", 0).next_u32(), 2152858037U);
}

TEST(Rng, MomentsOfTheDistributions) {
  Rng rng(1, "moments");
  constexpr int kDraws = 200000;
  double uniform = 0, normal = 0, normal_squared = 0, gamma = 0, beta = 0, poisson = 0;
  for (int i = 0; i < kDraws; ++i) {
    uniform += rng.uniform();
    const double z = rng.normal();
    normal += z;
    normal_squared += z * z;
    gamma += rng.gamma(0.5, 2.0);
    beta += rng.beta(2.0, 3.0);
    poisson += rng.poisson(3.7);
  }
  EXPECT_NEAR(uniform / kDraws, 0.5, 0.005);
  EXPECT_NEAR(normal / kDraws, 0.0, 0.01);
  EXPECT_NEAR(normal_squared / kDraws, 1.0, 0.02);
  EXPECT_NEAR(gamma / kDraws, 1.0, 0.02);
  EXPECT_NEAR(beta / kDraws, 0.4, 0.005);
  EXPECT_NEAR(poisson / kDraws, 3.7, 0.02);
}

TEST(Rng, BelowIsUnbiased) {
  Rng rng(2, "below");
  std::array<int, 3> seen{};
  for (int i = 0; i < 30000; ++i) ++seen.at(rng.below(3));
  for (const int count : seen) EXPECT_NEAR(count, 10000, 400);
}

TEST(Rng, FillAndTallyTakeTheSameNumbersAsSingleDraws) {
  for (const std::uint32_t bound : {1U, 2U, 7U, 114U}) {
    Rng one(1, "tally", bound);
    Rng many(1, "tally", bound);
    for (const std::size_t draws : {1UL, 3UL, 64UL, 65UL, 500UL}) {
      std::vector<std::uint32_t> expected(bound);
      std::vector<std::uint32_t> counts(bound);
      for (std::size_t i = 0; i < draws; ++i) ++expected[one.below(bound)];
      many.tally(draws, counts);
      EXPECT_EQ(counts, expected);
      std::vector<std::uint32_t> numbers(draws);
      many.fill(numbers);
      for (const std::uint32_t number : numbers) EXPECT_EQ(number, one.next_u32());
    }
  }
}

}  // namespace
}  // namespace unmask
