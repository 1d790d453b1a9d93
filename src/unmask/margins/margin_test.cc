#include "unmask/margins/margin.h"

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace unmask::margins {
namespace {

// Options `admissible`, of which the first is golden, under one arm.
ScoredDecision decision(const std::vector<bool>& admissible, std::vector<double> logs,
                        std::vector<bool> at_most = {}) {
  ScoredDecision made;
  for (const bool offered : admissible)
    made.options.push_back({.text = "x", .admissible = offered, .golden = made.options.empty()});
  made.arms.push_back({.log_probability = std::move(logs), .at_most = std::move(at_most)});
  return made;
}

TEST(Margin, SetsTheBestOfBothSidesAgainstEachOther) {
  const ScoredDecision made = decision({true, false, true, false}, {-3.0, -2.0, -1.0, -5.0});
  EXPECT_EQ(margin_of(made, 0), 1.0);
  EXPECT_EQ(margin_of(made, 0, MarginSide::golden), -2.0);
}

TEST(Margin, IsAbsentWithoutAnotherSideOrScores) {
  EXPECT_EQ(margin_of(decision({true, true}, {-1.0, -2.0}), 0), std::nullopt);
  EXPECT_EQ(margin_of(decision({false}, {-1.0}), 0), std::nullopt);
  EXPECT_EQ(margin_of(decision({true, false}, {}), 0), std::nullopt);
}

TEST(Margin, IsAbsentWhereOneSideIsNoNumber) {
  const double never = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(margin_of(decision({true, false}, {never, -1.0}), 0), std::nullopt);
}

TEST(Margin, BoundsOfTheBestHideItAndOthersDoNot) {
  EXPECT_EQ(margin_of(decision({true, false, false}, {-1.0, -3.0, -6.0}, {false, false, true}), 0),
            2.0);
  EXPECT_EQ(margin_of(decision({true, false, false}, {-1.0, -3.0, -2.0}, {false, false, true}), 0),
            std::nullopt);
  EXPECT_EQ(margin_of(decision({true, false}, {-1.0, -3.0}, {true, false}), 0), std::nullopt);
}

TEST(Margin, SaysWhyThereIsNone) {
  const double never = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(why_no_margin(decision({true, false}, {-1.0, -2.0}), 0), "");
  EXPECT_EQ(why_no_margin(decision({true, false}, {}), 0), "not_scored");
  EXPECT_EQ(why_no_margin(decision({true, true}, {-1.0, -2.0}), 0), "one_sided");
  EXPECT_EQ(why_no_margin(decision({true, false}, {-1.0, -3.0}, {true, false}), 0), "bound");
  EXPECT_EQ(why_no_margin(decision({true, false}, {never, -1.0}), 0), "not_finite");
  ScoredDecision failed = decision({true, false}, {});
  failed.arms[0].fault = "context_overflow";
  EXPECT_EQ(why_no_margin(failed, 0), "context_overflow");
}

TEST(InadmissibleMass, IsAShareOfAllOptions) {
  const ScoredDecision made = decision({true, false}, {std::log(0.6), std::log(0.2)});
  EXPECT_NEAR(*inadmissible_mass(made, 0, 1.0), 0.25, 1e-15);
}

TEST(InadmissibleMass, NeedsScoresAtItsTemperature) {
  ScoredDecision made = decision({true, false}, {-1.0, -2.0});
  EXPECT_EQ(inadmissible_mass(made, 0, 0.5), std::nullopt);
  made.arms[0].tempered.push_back({.temperature = 0.5, .log_probability = {-0.5, -0.5}});
  EXPECT_EQ(inadmissible_mass(made, 0, 0.5), 0.5);
}

TEST(InadmissibleMass, IsAbsentOverBounds) {
  EXPECT_EQ(inadmissible_mass(decision({true, false}, {-1.0, -9.0}, {false, true}), 0, 1.0),
            std::nullopt);
}

TEST(InadmissibleMass, HoldsWhereProbabilitiesUnderflow) {
  EXPECT_NEAR(*inadmissible_mass(decision({true, false}, {-2000.0, -2000.0}), 0, 1.0), 0.5, 1e-15);
}

}  // namespace
}  // namespace unmask::margins
