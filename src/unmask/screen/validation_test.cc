#include "unmask/screen/validation.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/rng.h"
#include "unmask/screen/screen_fixtures.h"
#include "unmask/screen/settings.h"

namespace unmask::screen {
namespace {

using testing::HasSubstr;

Validation validated(const ArmFacts& ref, const ArmFacts& arm, std::size_t tasks) {
  std::vector<std::uint32_t> shared(tasks);
  std::iota(shared.begin(), shared.end(), 0U);
  return validate(ref, arm, {.ref = shared, .arm = shared}, 10);
}

TEST(Validation, AnArmAgainstItselfLosesNothing) {
  const ArmFacts arm = fixtures::repeated(20, "n...", ".e..");
  const Validation result = validated(arm, arm, 20);
  EXPECT_EQ(result.reason, "");
  EXPECT_NEAR(*result.factor.value, 1.0, 1e-15);
  ASSERT_EQ(result.points.size(), 3U);
  for (const ValidationPoint& point : result.points) {
    EXPECT_NEAR(*point.predicted.value, 0.0, 1e-15);
    EXPECT_NEAR(*point.observed.value, 0.0, 1e-15);
    EXPECT_FALSE(point.difference.low.has_value());
  }
}

TEST(Validation, SaysWhyThereIsNoFactor) {
  const ArmFacts clean = fixtures::repeated(5, "...", "..");
  const ArmFacts prone = fixtures::repeated(5, "n..", "..");
  EXPECT_THAT(validated(clean, prone, 5).reason, HasSubstr("reference"));
  EXPECT_THAT(validated(prone, clean, 5).reason, HasSubstr("the arm"));
  EXPECT_THAT(validated(prone, prone, 0).reason, HasSubstr("no tasks"));
  const ArmFacts unsolved = fixtures::arm_of({{.task = 0, .success = false, .calls = "n"}});
  EXPECT_THAT(validated(unsolved, unsolved, 1).reason, HasSubstr("solved no episode"));
  EXPECT_FALSE(validated(clean, prone, 5).factor.value.has_value());
}

TEST(Validation, ErrorsOfOneTaskGiveNoInterval) {
  std::vector<fixtures::Row> rows = {{.task = 0, .calls = "n."}, {.task = 1, .calls = ".."}};
  const ArmFacts arm = fixtures::arm_of(rows);
  const Validation result = validated(arm, arm, 2);
  EXPECT_TRUE(result.factor.value.has_value());
  EXPECT_FALSE(result.factor.low.has_value());
  EXPECT_THAT(result.factor.reason, HasSubstr("one task"));
}

// Episodes of the model itself: Poisson runs of geometric length, success apart from them.
ArmFacts simulated(double mean_runs, std::uint64_t study, const char* purpose) {
  Rng rng(20260731, purpose, study);
  std::vector<fixtures::Row> rows;
  for (int i = 0; i < 400; ++i) {
    for (int trial = 0; trial < 2; ++trial) {
      std::string calls;
      const std::uint32_t runs = rng.poisson(mean_runs);
      for (std::uint32_t run = 0; run < runs; ++run) {
        calls += "n";
        while (rng.bernoulli(0.4)) calls += "n";
        calls += ".";
      }
      calls += "..";
      const auto failed = static_cast<int>(std::count(calls.begin(), calls.end(), 'n'));
      rows.push_back({.task = i, .success = rng.bernoulli(0.7) && failed < 10, .calls = calls});
    }
  }
  return fixtures::arm_of(rows);
}

TEST(Validation, PredictsWhatTheModelMakes) {
  // 20 studies, three budgets each: the 95 % interval of the difference should hold 0 nearly
  // always.
  int held = 0;
  int all = 0;
  for (std::uint64_t study = 0; study < 20; ++study) {
    const Validation result =
        validated(simulated(0.6, study, "reference"), simulated(1.2, study, "arm"), 400);
    EXPECT_NEAR(*result.factor.value, 2.0, 0.5);
    for (const ValidationPoint& point : result.points) {
      ASSERT_TRUE(point.difference.low && point.difference.high);
      held += *point.difference.low <= 0.0 && *point.difference.high >= 0.0;
      ++all;
    }
  }
  EXPECT_EQ(all, 60);
  EXPECT_GE(held, 51);
}

}  // namespace
}  // namespace unmask::screen
