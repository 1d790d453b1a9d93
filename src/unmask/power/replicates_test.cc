#include "unmask/power/replicates.h"

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"

namespace unmask::power {
namespace {

TEST(RunReplicates, DoesEachIndexOnce) {
  for (const unsigned threads : {1U, 2U, 5U, 64U}) {
    for (const std::size_t total : {0U, 1U, 3U, 100U}) {
      std::vector<int> times(total);
      EXPECT_TRUE(run_replicates(total, threads, [&](std::size_t i) { ++times[i]; }));
      EXPECT_EQ(times, std::vector<int>(total, 1));
    }
  }
}

TEST(RunReplicates, StopsWhenProgressSaysSo) {
  std::vector<int> times(1000);
  const bool finished = run_replicates(
      times.size(), 1, [&](std::size_t i) { ++times[i]; },
      [](std::size_t done, std::size_t total) {
        EXPECT_EQ(total, 1000U);
        return done < 10;
      });
  EXPECT_FALSE(finished);
  EXPECT_EQ(times[9], 1);
  EXPECT_EQ(times[10], 0);
}

TEST(RunReplicates, ThrowsWhatAThreadThrew) {
  for (const unsigned threads : {1U, 4U}) {
    EXPECT_THROW((void)run_replicates(100, threads,
                                      [](std::size_t i) {
                                        if (i == 50) throw std::runtime_error("fifty");
                                      }),
                 std::runtime_error);
  }
}

TEST(RunReplicates, NeedsAThread) {
  EXPECT_THROW((void)run_replicates(1, 0, [](std::size_t) {}), BugError);
  EXPECT_GE(default_threads(), 1U);
}

}  // namespace
}  // namespace unmask::power
