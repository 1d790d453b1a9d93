#include "unmask/play/error_budget.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "unmask/base/rng.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/budget/stop_profile.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask::play {
namespace {

/// How many calls run until the budget ends the episode; nullopt: it doesn't.
std::optional<std::size_t> calls_until_stop(const EpisodeFacts& episode, int budget,
                                            const BudgetSemantics& semantics) {
  ErrorBudget lives(budget, semantics);
  for (std::size_t i = 0; i < episode.calls.size(); ++i) {
    lives.count(episode.calls[i].party, episode.calls[i].failed);
    const bool message_ends =
        i + 1 == episode.calls.size() || episode.calls[i + 1].message != episode.calls[i].message;
    if (lives.stops_within_message() || (message_ends && lives.is_exhausted())) return i + 1;
  }
  return std::nullopt;
}

/// The live counter stops where the counterfactual one says that it would have.
TEST(ErrorBudget, StopsWhereTheCounterfactualDoes) {
  for (std::uint64_t number = 0; number < 300; ++number) {
    Rng rng(11, "error_budget_test", number);
    EpisodeFacts episode;
    std::uint32_t message = 0;
    const std::uint32_t calls = rng.below(14);
    for (std::uint32_t i = 0; i < calls; ++i) {
      if (rng.bernoulli(0.6)) ++message;
      CallFacts call;
      call.message = message;
      call.party = rng.bernoulli(0.7) ? Party::agent : Party::user;
      call.failed = rng.bernoulli(0.5);
      episode.calls.push_back(call);
    }
    for (const BudgetSemantics& semantics : all_budget_semantics()) {
      for (int budget = 1; budget <= 5; ++budget) {
        SCOPED_TRACE(std::to_string(number) + " " + name_of(semantics) + " " +
                     std::to_string(budget));
        const std::optional<StopPoint> point = stop_point(episode, semantics, budget);
        const std::optional<std::size_t> stop = calls_until_stop(episode, budget, semantics);
        ASSERT_EQ(stop.has_value(), point.has_value());
        if (stop) {
          EXPECT_EQ(*stop, point->calls);
        }
      }
    }
  }
}

TEST(ErrorBudget, ErrorsCountWhateverTheSwitches) {
  ErrorBudget lives(2, {.counts = CountedParty::agent, .how = How::consecutive});
  lives.count(Party::user, true);
  lives.count(Party::agent, true);
  lives.count(Party::agent, false);
  EXPECT_EQ(lives.errors(), 2);
  EXPECT_EQ(lives.counted(), 0);
  EXPECT_FALSE(lives.is_exhausted());
}

}  // namespace
}  // namespace unmask::play
