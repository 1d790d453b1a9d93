#include "unmask/budget/lives_used.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/budget/budget_test_support.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

TEST(LivesUsed, IsEmptyWithoutObservations) {
  EpisodeFacts episode = sketch("A");
  episode.excluded = Exclusion::no_reward;
  const std::vector<EpisodeFacts> episodes = {episode};
  EXPECT_EQ(lives_used(episodes), LivesUsed{});
}

TEST(LivesUsed, CountsEpisodesByPeakAndFailuresByMessage) {
  const std::vector<EpisodeFacts> episodes = {sketch("a AA U"), sketch("a", false), sketch("A")};
  const LivesUsed used = lives_used(episodes);
  EXPECT_EQ(used.solved, (std::vector<std::uint32_t>{0, 1, 0, 1}));
  EXPECT_EQ(used.failed, (std::vector<std::uint32_t>{1, 0, 0, 0}));
  EXPECT_EQ(used.failures_by_position, (std::vector<std::uint32_t>{1, 2, 1}));
  EXPECT_EQ(lives_used(episodes, {.counts = CountedParty::agent}).failures_by_position,
            (std::vector<std::uint32_t>{1, 2}));
}

}  // namespace
}  // namespace unmask
