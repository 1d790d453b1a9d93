#include "unmask/budget/stop_profile.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/budget/budget_test_support.h"
#include "unmask/budget/short_episodes.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

constexpr BudgetSemantics kTau2{};
constexpr BudgetSemantics kAgent{.counts = CountedParty::agent};
constexpr BudgetSemantics kInARow{.how = How::consecutive};
constexpr BudgetSemantics kInARowByCall{.how = How::consecutive, .tested = Tested::call};
constexpr BudgetSemantics kAgentInARow{.counts = CountedParty::agent, .how = How::consecutive};
constexpr BudgetSemantics kExceed{.ends = Ends::exceed};

TEST(StopAfter, Peaks) {
  struct Case {
    const char* calls;
    BudgetSemantics semantics;
    int peak;
    int lives_needed;
  };
  const Case cases[] = {
      {"", kTau2, 0, 1},
      {"", kExceed, 0, 0},
      {"a u", kTau2, 0, 1},
      {"A", kTau2, 1, 2},
      {"A", kExceed, 1, 1},
      {"A a U a", kTau2, 2, 3},
      {"A a U a", kAgent, 1, 2},
      {"A a U a", kInARow, 1, 2},
      {"A U a A", kInARow, 2, 3},
      // A success inside a message hides the row before it from a test at the message's end.
      {"AAa", kInARow, 0, 1},
      {"AAa", kInARowByCall, 2, 3},
      {"aAA", kInARow, 2, 3},
      {"AA Aa A", kInARow, 2, 3},
      {"AA Aa A", kInARowByCall, 3, 4},
      // The user's calls are nothing to a budget that counts the agent: neither U counts, and u
      // ends no row.
      {"A u A U A", kAgentInARow, 3, 4},
      {"A u A U A", kInARow, 3, 4},
      {"A u A", kInARow, 1, 2},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string("[") + c.calls + "] " + name_of(c.semantics));
    const StopProfile profile = stop_after(sketch(c.calls), c.semantics);
    EXPECT_EQ(profile.peak, c.peak);
    EXPECT_EQ(profile.lives_needed, c.lives_needed);
    EXPECT_FALSE(profile.stopped_at(c.lives_needed));
    EXPECT_TRUE(profile.stopped_at(c.lives_needed - 1));
  }
}

TEST(StopAfter, IgnoredErrorsNeitherCountNorEndARow) {
  EpisodeFacts episode = sketch("A A U A");
  episode.calls[1].channel = Channel::tool_name;
  episode.calls[2].channel = Channel::tool_name;
  const ErrorSelector names{.channel = Channel::tool_name};
  const ErrorSelector everybodys_names{.channel = Channel::tool_name, .party = std::nullopt};
  EXPECT_EQ(stop_after(episode, kTau2, names).peak, 3);
  EXPECT_EQ(stop_after(episode, kTau2, everybodys_names).peak, 2);
  EXPECT_EQ(stop_after(episode, kTau2, ErrorSelector{.channel = Channel::entity}).peak, 4);
  EXPECT_EQ(stop_after(episode, kInARow, everybodys_names).peak, 2);
}

TEST(StopPoint, RunsTheWholeMessageUnlessTestedByCall) {
  const EpisodeFacts episode = sketch("a AAA a");
  EXPECT_EQ(stop_point(episode, kTau2, 2), (StopPoint{.calls = 4, .counted = 3, .message = 3}));
  EXPECT_EQ(stop_point(episode, {.tested = Tested::call}, 2),
            (StopPoint{.calls = 3, .counted = 2, .message = 3}));
  EXPECT_EQ(stop_point(episode, kTau2, 3)->calls, 4U);
  EXPECT_FALSE(stop_point(episode, kExceed, 3).has_value());
  EXPECT_FALSE(stop_point(episode, kTau2, 4).has_value());
  EXPECT_THROW((void)stop_point(episode, kTau2, 0), BugError);
}

// The rule spelled out, a message at a time: what a harness does.
bool naive_replay_stops(const std::vector<std::vector<CallFacts>>& messages,
                        const BudgetSemantics& semantics, int budget) {
  int total = 0;
  int row = 0;
  const auto test = [&] {
    const int count = semantics.how == How::cumulative ? total : row;
    return semantics.ends == Ends::reach ? count >= budget : count > budget;
  };
  for (const std::vector<CallFacts>& message : messages) {
    for (const CallFacts& call : message) {
      if (semantics.counts == CountedParty::agent && call.party == Party::user) continue;
      total = call.failed ? total + 1 : total;
      row = call.failed ? row + 1 : 0;
      if (semantics.tested == Tested::call && test()) return true;
    }
    if (semantics.tested == Tested::turn && test()) return true;
  }
  return false;
}

void expect_equal_to_naive_replay(const ShortEpisode& episode) {
  constexpr int kBudgets = 5;
  for (const BudgetSemantics& semantics : all_budget_semantics()) {
    const StopProfile profile = stop_after(episode.facts, semantics);
    for (int budget = 1; budget <= kBudgets; ++budget) {
      ASSERT_EQ(profile.stopped_at(budget), naive_replay_stops(episode.messages, semantics, budget))
          << name_of(semantics) << ", budget " << budget;
    }
    ASSERT_EQ(profile.stopped_at(2), stop_point(episode.facts, semantics, 2).has_value());
  }
}

TEST(StopAfter, EqualsANaiveReplayOfAllShortEpisodes) {
  std::size_t episodes = 0;
  const auto visit = [&](const ShortEpisode& episode) {
    ++episodes;
    expect_equal_to_naive_replay(episode);
  };
  for (std::size_t length = 0; length <= 6; ++length) for_each_short_episode(length, true, visit);
  for_each_short_episode(7, false, visit);
  // The empty one, 4 * 8^(n-1) of n <= 6 calls, 4 * 6^6 of seven.
  EXPECT_EQ(episodes, 1U + 4U * 37449U + 4U * 46656U);
}

}  // namespace
}  // namespace unmask
