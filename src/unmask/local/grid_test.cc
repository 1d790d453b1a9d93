#include "unmask/local/grid.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace unmask::local {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsNan;

TEST(RoundToGrid, HasSoManyValuesBetweenTheExtremes) {
  std::vector<float> row = {-1.0F, -0.4F, 0.0F, 0.5F, 0.99F, 2.0F};
  round_to_grid(row, 2);  // -1, 0, 1, 2
  EXPECT_THAT(row, ElementsAre(-1.0F, 0.0F, 0.0F, 1.0F, 1.0F, 2.0F));
  round_to_grid(row, 1);
  EXPECT_THAT(row, ElementsAre(-1.0F, -1.0F, -1.0F, 2.0F, 2.0F, 2.0F));
}

TEST(RoundToGrid, GivesEachRunItsOwnGridAndIsDoneOnce) {
  std::vector<float> row;
  for (std::size_t i = 0; i < 2 * kGridBlock + 5; ++i) {
    row.push_back(std::sin(static_cast<float>(i)) * static_cast<float>(1 + i / kGridBlock));
  }
  const std::vector<float> before = row;
  round_to_grid(row, 3);
  for (std::size_t at = 0; at < row.size(); at += kGridBlock) {
    const std::size_t end = std::min(at + kGridBlock, row.size());
    std::set<float> values;
    for (std::size_t i = at; i < end; ++i) {
      values.insert(row[i]);
      const float reach = 2.0F * static_cast<float>(1 + at / kGridBlock);
      EXPECT_NEAR(row[i], before[i], reach / 14.0F + 1e-6F) << i;
    }
    EXPECT_LE(values.size(), 8U);
    EXPECT_GE(values.size(), 3U);
  }
  const std::vector<float> once = row;
  round_to_grid(row, 3);
  for (std::size_t i = 0; i < row.size(); ++i) EXPECT_NEAR(row[i], once[i], 1e-6F);
}

TEST(RoundToGrid, LeavesWhatIsAllOneValueAndHidesNothing) {
  std::vector<float> same(40, 0.25F);
  round_to_grid(same, 3);
  EXPECT_THAT(same, Each(0.25F));
  std::vector<float> none;
  round_to_grid(none, 3);
  std::vector<float> damaged = {1.0F, std::numeric_limits<float>::infinity()};
  round_to_grid(damaged, 3);
  EXPECT_THAT(damaged, Each(IsNan()));
}

}  // namespace
}  // namespace unmask::local
