#include "unmask/stats/auc.h"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace unmask::stats {
namespace {

using Values = std::vector<double>;

TEST(Auc, CountsPairsInOrder) {
  EXPECT_EQ(auc(Values{2.0, 3.0}, Values{1.0}), 1.0);
  EXPECT_EQ(auc(Values{1.0}, Values{2.0, 3.0}), 0.0);
  // 5 above 1 and 4, 2 above 1 only: 3 of 4 pairs.
  EXPECT_EQ(auc(Values{5.0, 2.0}, Values{1.0, 4.0}), 0.75);
}

TEST(Auc, CountsTiesHalf) {
  EXPECT_EQ(auc(Values{1.0, 1.0}, Values{1.0, 1.0, 1.0}), 0.5);
  EXPECT_EQ(auc(Values{1.0, 2.0}, Values{1.0}), 0.75);
}

TEST(Auc, NeedsBothOutcomes) {
  EXPECT_EQ(auc(Values{}, Values{1.0}), std::nullopt);
  EXPECT_EQ(auc(Values{1.0}, Values{}), std::nullopt);
}

}  // namespace
}  // namespace unmask::stats
