#include "unmask/world/retail/changed_rows.h"

#include <cstddef>
#include <memory>

#include <gtest/gtest.h>

namespace unmask::world::retail {
namespace {

TEST(ChangedRows, KeepsTheLastValueOfEachPlace) {
  ChangedRows<int> rows;
  EXPECT_TRUE(rows.empty());
  EXPECT_EQ(rows.find(0), nullptr);
  constexpr std::size_t kRows = 500;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < kRows; ++i) {
      rows.set(7 * i, std::make_shared<const int>(static_cast<int>(i) + round));
      // At every size: what is in is found, and nothing else.
      ASSERT_NE(rows.find(0), nullptr);
      EXPECT_EQ(*rows.find(7 * i), static_cast<int>(i) + round);
      EXPECT_EQ(rows.find(7 * i + 1), nullptr);
    }
  }
  EXPECT_EQ(rows.rows().size(), kRows);
  const ChangedRows<int> copy = rows;
  rows.set(0, std::make_shared<const int>(-1));
  EXPECT_EQ(*copy.find(0), 1);
  EXPECT_EQ(*rows.find(0), -1);
}

}  // namespace
}  // namespace unmask::world::retail
