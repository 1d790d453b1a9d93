#include "unmask/budget/counterfactual.h"

#include <cstddef>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/budget/budget_test_support.h"
#include "unmask/budget/short_episodes.h"
#include "unmask/budget/stop_profile.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

const BudgetRegime kUncensored{.nominal = 10, .known = true};
const BudgetRegime kThree{.nominal = 3, .enforced = 3, .known = true};

TEST(Counterfactual, AnEpisodeThatItsBudgetDidNotStopIsExactAtEveryBudget) {
  const Counterfactual passed = counterfactual(sketch("A a A a"), kThree, {});
  EXPECT_EQ(passed.at(1), Outcome::failed);
  EXPECT_EQ(passed.at(2), Outcome::failed);
  EXPECT_EQ(passed.at(3), Outcome::passed);
  EXPECT_EQ(passed.at(1000), Outcome::passed);
  const Counterfactual failed = counterfactual(sketch("A a A a", false), kThree, {});
  EXPECT_EQ(failed.at(1), Outcome::failed);
  EXPECT_EQ(failed.at(1000), Outcome::failed);
}

TEST(Counterfactual, AnEpisodeThatItsBudgetStoppedIsUnknownOnlyAboveWhatItUsed) {
  const Counterfactual stopped = counterfactual(out_of_budget("A A A"), kThree, {});
  EXPECT_EQ(stopped.at(3), Outcome::failed);
  EXPECT_EQ(stopped.at(4), Outcome::unknown);
  // A message that overshot settles the budgets up to what it used.
  const Counterfactual overshot = counterfactual(out_of_budget("A AAA"), kThree, {});
  EXPECT_EQ(overshot.at(4), Outcome::failed);
  EXPECT_EQ(overshot.at(5), Outcome::unknown);
}

TEST(Counterfactual, ASwitchMayLeaveAStoppedEpisodeOpenAtSmallBudgets) {
  const EpisodeFacts episode = out_of_budget("A a U a A");
  EXPECT_EQ(counterfactual(episode, kThree, {.ends = Ends::exceed}).at(2), Outcome::failed);
  EXPECT_EQ(counterfactual(episode, kThree, {.ends = Ends::exceed}).at(3), Outcome::unknown);
  EXPECT_EQ(counterfactual(episode, kThree, {.how = How::consecutive}).at(1), Outcome::failed);
  EXPECT_EQ(counterfactual(episode, kThree, {.how = How::consecutive}).at(2), Outcome::unknown);
  EXPECT_EQ(counterfactual(episode, kThree, {.counts = CountedParty::agent}).at(2),
            Outcome::failed);
  EXPECT_EQ(counterfactual(episode, kThree, {.counts = CountedParty::agent}).at(3),
            Outcome::unknown);
}

TEST(Counterfactual, ARealStopProvesTheCountEvenIfTheLogLacksSomeCalls) {
  const EpisodeFacts episode = out_of_budget("A");
  EXPECT_EQ(counterfactual(episode, kThree, {}).at(3), Outcome::failed);
  EXPECT_EQ(counterfactual(episode, kThree, {}).at(4), Outcome::unknown);
  EXPECT_EQ(counterfactual(episode, kThree, {.ends = Ends::exceed}).at(2), Outcome::failed);
  EXPECT_EQ(counterfactual(episode, kThree, {.ends = Ends::exceed}).at(3), Outcome::unknown);
  // It proves nothing where the switch counts less than the harness did.
  EXPECT_EQ(counterfactual(episode, kThree, {.counts = CountedParty::agent}).at(2),
            Outcome::unknown);
  BudgetRegime agent_only = kThree;
  agent_only.counts = CountedParty::agent;
  EXPECT_EQ(counterfactual(episode, agent_only, {.counts = CountedParty::agent}).at(2),
            Outcome::failed);
}

TEST(Counterfactual, WithoutAChannelTheStopItselfIsNoProof) {
  EpisodeFacts episode = out_of_budget("A A A");
  for (CallFacts& call : episode.calls) call.channel = Channel::entity;
  const ErrorSelector entity{.channel = Channel::entity};
  EXPECT_EQ(counterfactual(episode, kThree, {}, entity).at(1), Outcome::unknown);
  episode.calls[0].channel = Channel::arguments;
  EXPECT_EQ(counterfactual(episode, kThree, {}, entity).at(1), Outcome::failed);
  EXPECT_EQ(counterfactual(episode, kThree, {}, entity).at(2), Outcome::unknown);
}

TEST(Counterfactual, AnExcludedEpisodeIsABug) {
  EpisodeFacts episode = sketch("");
  episode.excluded = Exclusion::infrastructure;
  EXPECT_THROW((void)counterfactual(episode, kThree, {}), BugError);
}

/// The log of `whole`, a run that nothing stopped, as a harness with budget `own` would write it.
EpisodeFacts censored_at(const EpisodeFacts& whole, int own) {
  EpisodeFacts log = whole;
  if (const auto stop = stop_point(whole, {}, own)) {
    log.calls.resize(stop->calls);
    log.success = false;
    log.reward = 0.0;
    log.termination = Termination::too_many_errors;
  }
  return log;
}

TEST(Counterfactual, NeverClaimsWhatACensoredLogCantTell) {
  std::size_t unknown = 0;
  const auto visit = [&](const ShortEpisode& episode) {
    for (int own = 1; own <= 3; ++own) {
      const EpisodeFacts log = censored_at(episode.facts, own);
      const BudgetRegime regime{.nominal = own, .enforced = own, .known = true};
      for (const BudgetSemantics& semantics : all_budget_semantics()) {
        const Counterfactual seen = counterfactual(log, regime, semantics);
        const Counterfactual truth = counterfactual(episode.facts, kUncensored, semantics);
        for (int budget = 1; budget <= 6; ++budget) {
          const bool open = seen.at(budget) == Outcome::unknown;
          unknown += open ? 1 : 0;
          ASSERT_TRUE(open || seen.at(budget) == truth.at(budget))
              << "own " << own << ", " << name_of(semantics) << ", budget " << budget;
          ASSERT_FALSE(open && semantics == BudgetSemantics{} && budget <= own);
        }
      }
    }
  };
  for (std::size_t length = 0; length <= 5; ++length) for_each_short_episode(length, true, visit);
  EXPECT_GT(unknown, 0U);
}

TEST(StoppedByOwnBudget, TakesTheReasonOrElseTheCount) {
  EXPECT_TRUE(stopped_by_own_budget(out_of_budget("A"), kThree));
  EXPECT_FALSE(stopped_by_own_budget(out_of_budget("A"), kUncensored));
  EXPECT_FALSE(stopped_by_own_budget(sketch("A A A", false), kThree));
  EXPECT_TRUE(stopped_by_own_budget(sketch("A A A", false, Termination::unknown), kThree));
  EXPECT_FALSE(stopped_by_own_budget(sketch("A A", false, Termination::unknown), kThree));
  EXPECT_FALSE(stopped_by_own_budget(sketch("A A A", true, Termination::unknown), kThree));
}

}  // namespace
}  // namespace unmask
