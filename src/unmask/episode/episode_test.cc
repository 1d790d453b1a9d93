#include <gtest/gtest.h>

#include "unmask/episode/facts.h"

namespace unmask {
namespace {

TEST(Channel, NamesGoBothWays) {
  for (std::size_t i = 0; i < kChannelCount; ++i) {
    const auto channel = static_cast<Channel>(i);
    EXPECT_EQ(channel_from_name(name_of(channel)), channel);
  }
  EXPECT_FALSE(channel_from_name("tool name").has_value());
}

TEST(Termination, NamesGoBothWaysAndAnUnknownWordIsUnknown) {
  for (std::size_t i = 0; i < kTerminationCount; ++i) {
    const auto termination = static_cast<Termination>(i);
    EXPECT_EQ(termination_from_name(name_of(termination)), termination);
  }
  EXPECT_EQ(termination_from_name("gave_up"), Termination::unknown);
}

TEST(CountedErrors, CountsFailuresOfTheCountedParties) {
  EpisodeFacts episode;
  CallFacts failed_agent;
  failed_agent.failed = true;
  CallFacts failed_user = failed_agent;
  failed_user.party = Party::user;
  episode.calls = {failed_agent, failed_user, CallFacts{}, failed_user};
  EXPECT_EQ(counted_errors(episode, CountedParty::both), 3U);
  EXPECT_EQ(counted_errors(episode, CountedParty::agent), 1U);
}

TEST(CallFacts, IsSmall) { EXPECT_LE(sizeof(CallFacts), 16U); }

}  // namespace
}  // namespace unmask
