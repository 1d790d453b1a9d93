#include "unmask/budget/stop_profile.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/budget/budget_test_support.h"

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
  episode.calls[1].kind = 4;
  episode.calls[2].channel = Channel::tool_name;
  const ErrorSelector names{.channel = Channel::tool_name};
  const ErrorSelector everybodys_names{.channel = Channel::tool_name, .party = std::nullopt};
  const ErrorSelector other_kind{.channel = Channel::tool_name, .kind = 5};
  EXPECT_EQ(stop_after(episode, kTau2, names).peak, 3);
  EXPECT_EQ(stop_after(episode, kTau2, everybodys_names).peak, 2);
  EXPECT_EQ(stop_after(episode, kTau2, other_kind).peak, 4);
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

// Every episode of up to `kLongest` calls: party, failed, and whether it shares its predecessor's
// message. Mixed messages are in: a harness lets an agent call a tool in the user's name.
TEST(StopAfter, EqualsANaiveReplayOfAllShortEpisodes) {
  constexpr std::size_t kLongest = 7;
  constexpr int kBudgets = 5;
  std::size_t episodes = 0;
  for (std::size_t length = 0; length <= kLongest; ++length) {
    // Three bits a call; the grouping bit of the first call has no meaning and stays 0.
    for (std::size_t code = 0; code < (std::size_t{1} << (3 * length)); ++code) {
      if (length > 0 && (code & 4U) != 0) continue;
      EpisodeFacts episode;
      std::vector<std::vector<CallFacts>> messages;
      for (std::size_t i = 0; i < length; ++i) {
        const std::size_t bits = code >> (3 * i);
        if ((bits & 4U) == 0) messages.emplace_back();
        CallFacts call;
        call.party = (bits & 1U) == 0 ? Party::agent : Party::user;
        call.failed = (bits & 2U) != 0;
        call.message = static_cast<std::uint32_t>(messages.size());
        episode.calls.push_back(call);
        messages.back().push_back(call);
      }
      ++episodes;
      for (const BudgetSemantics& semantics : all_budget_semantics()) {
        const StopProfile profile = stop_after(episode, semantics);
        for (int budget = 1; budget <= kBudgets; ++budget) {
          const bool stops = naive_replay_stops(messages, semantics, budget);
          ASSERT_EQ(profile.stopped_at(budget), stops)
              << "code " << code << ", " << length << " calls, " << name_of(semantics)
              << ", budget " << budget;
        }
        ASSERT_EQ(profile.stopped_at(2), stop_point(episode, semantics, 2).has_value());
      }
    }
  }
  // 1 + sum over lengths of 4 * 8^(length - 1)
  EXPECT_EQ(episodes, 1U + 4U * 299593U);
}

}  // namespace
}  // namespace unmask
