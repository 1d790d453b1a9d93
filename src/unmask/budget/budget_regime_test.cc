#include "unmask/budget/budget_regime.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/budget/budget_test_support.h"
#include "unmask/budget/harness_version.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

using ::testing::HasSubstr;

LogHeader header_of(std::string version, std::optional<int> max_errors,
                    std::string timestamp = "") {
  LogHeader header;
  header.harness.name = "tau2-bench";
  header.harness.version = std::move(version);
  header.max_errors = max_errors;
  header.timestamp = std::move(timestamp);
  return header;
}

TEST(BudgetRegime, TauBenchHasNone) {
  LogHeader header;
  header.harness.name = "tau-bench";
  std::vector<EpisodeFacts> episodes(1);
  const BudgetRegime regime = infer_regime(header, episodes);
  EXPECT_TRUE(regime.known);
  EXPECT_EQ(regime.enforced, std::nullopt);
  EXPECT_EQ(regime.nominal, std::nullopt);
  EXPECT_THAT(regime.evidence, HasSubstr("tau-bench has no error budget"));
}

TEST(ParseVersion, ReadsReleasesAndRanges) {
  using Parts = std::array<int, 3>;
  EXPECT_EQ(parse_version("1.0.1"), (VersionRange{Parts{1, 0, 1}, Parts{1, 0, 1}}));
  EXPECT_EQ(parse_version("v0.2.0")->last, (Parts{0, 2, 0}));
  EXPECT_EQ(parse_version("0.1.x-0.2.1")->first, (Parts{0, 1, 0}));
  EXPECT_EQ(parse_version("0.1.x-0.2.1")->last, (Parts{0, 2, 1}));
  EXPECT_GT(parse_version("1.x")->last, (Parts{1, 9999, 0}));
  EXPECT_EQ(parse_version("1.0.0-rc1")->first, (Parts{1, 0, 0}));
  for (const char* bad : {"", "x", "main", "-1.0", "1.0.0-0.9.0", "99999999999.0"}) {
    EXPECT_FALSE(parse_version(bad).has_value()) << bad;
  }
}

TEST(InferRegime, OurOwnRunsCount) {
  LogHeader header = header_of("0.1.0", 10);
  header.harness.name = "unmask";
  const BudgetRegime regime = infer_regime(header, std::vector{sketch("A a")});
  EXPECT_TRUE(regime.known);
  EXPECT_EQ(regime.enforced, 10);
  EXPECT_THAT(regime.evidence, HasSubstr("unmask counts failed calls"));
}

TEST(InferRegime, TheHarnessDecidesWhereTheEpisodesSayNothing) {
  const std::vector<EpisodeFacts> episodes = {sketch("A a"), sketch("a", false)};
  const BudgetRegime dead = infer_regime(header_of("0.2.1", 10), episodes);
  EXPECT_TRUE(dead.known);
  EXPECT_FALSE(dead.enforced.has_value());
  EXPECT_EQ(dead.nominal, 10);
  EXPECT_THAT(dead.evidence, HasSubstr("never incremented"));
  const BudgetRegime alive = infer_regime(header_of("1.0.1", 10), episodes);
  EXPECT_TRUE(alive.known);
  EXPECT_EQ(alive.enforced, 10);
  // An estimate that spans the change decides nothing, unless the date does.
  const BudgetRegime unknown = infer_regime(header_of("0.2.0-1.0.1", 10), episodes);
  EXPECT_FALSE(unknown.known);
  EXPECT_EQ(unknown.enforced, 10);
  const BudgetRegime dated =
      infer_regime(header_of("0.2.0-1.0.1", 10, "2025-11-09T23:59:59"), episodes);
  EXPECT_TRUE(dated.known);
  EXPECT_FALSE(dated.enforced.has_value());
  EXPECT_FALSE(infer_regime(header_of("", 10, "2025-11-10T00:00:00"), episodes).known);
  EXPECT_FALSE(infer_regime(header_of("", 10, "yesterday, I think"), episodes).known);
}

TEST(InferRegime, AnEpisodeThatWentPastTheBudgetRefutesIt) {
  const std::vector<EpisodeFacts> episodes = {sketch("A A A a")};
  const BudgetRegime regime = infer_regime(header_of("1.0.1", 3), episodes);
  EXPECT_TRUE(regime.known);
  EXPECT_FALSE(regime.enforced.has_value());
  EXPECT_THAT(regime.evidence, HasSubstr("1 episode went on"));
}

TEST(InferRegime, StoppedEpisodesDecideOverVersionAndHeader) {
  const std::vector<EpisodeFacts> fits = {out_of_budget("A A A"), out_of_budget("A A AA"),
                                          sketch("A a")};
  const BudgetRegime fork = infer_regime(header_of("0.2.0", 3), fits);
  EXPECT_EQ(fork.enforced, 3);
  EXPECT_TRUE(fork.known);
  EXPECT_THAT(fork.evidence, HasSubstr("this overrules that tau2-bench 0.2.0"));
  // The header's 10 is stale: one episode ran out after 3.
  const BudgetRegime stale = infer_regime(header_of("1.0.1", 10), fits);
  EXPECT_EQ(stale.enforced, 3);
  EXPECT_TRUE(stale.known);
  EXPECT_EQ(stale.nominal, 10);
  EXPECT_THAT(stale.evidence, HasSubstr("stale"));
  // The header's 2 is stale: every stopped episode got past 2 first.
  EXPECT_EQ(infer_regime(header_of("1.0.1", 2), fits).enforced, 3);
  EXPECT_EQ(infer_regime(header_of("1.0.1", std::nullopt), fits).enforced, 3);
  EXPECT_EQ(infer_regime(header_of("1.0.1", 0), fits).enforced, 3);
}

TEST(InferRegime, AStoppedEpisodeWithoutErrorsTellsNoBudget) {
  const std::vector<EpisodeFacts> episodes = {out_of_budget(""), out_of_budget("A A A A")};
  EXPECT_EQ(infer_regime(header_of("1.0.1", 4), episodes).enforced, 4);
  const std::vector<EpisodeFacts> nothing = {out_of_budget("")};
  const BudgetRegime regime = infer_regime(header_of("1.0.1", 4), nothing);
  EXPECT_EQ(regime.enforced, 4);
  EXPECT_FALSE(regime.known);
}

TEST(InferRegime, FindsACounterThatSeesTheAgentOnly) {
  const std::vector<EpisodeFacts> episodes = {out_of_budget("A U A"), sketch("U U a A")};
  const BudgetRegime regime = infer_regime(header_of("", 2), episodes);
  EXPECT_EQ(regime.enforced, 2);
  EXPECT_EQ(regime.counts, CountedParty::agent);
  // One contradiction alone is no proof of it: the stopped episode needs the user's errors.
  const std::vector<EpisodeFacts> both = {out_of_budget("A U"), sketch("U U a A")};
  EXPECT_EQ(infer_regime(header_of("", 2), both).counts, CountedParty::both);
}

TEST(InferRegime, MissingReasonsAreTakenAsStops) {
  const std::vector<EpisodeFacts> episodes = {sketch("A A", false, Termination::unknown)};
  const BudgetRegime regime = infer_regime(header_of("", 2), episodes);
  EXPECT_EQ(regime.enforced, 2);
  EXPECT_FALSE(regime.known);
  EXPECT_THAT(regime.evidence, HasSubstr("without a termination reason"));
}

TEST(InferRegime, NoBudgetAtAll) {
  const BudgetRegime regime = infer_regime(LogHeader{}, {});
  EXPECT_FALSE(regime.enforced.has_value());
  EXPECT_FALSE(regime.known);
  EXPECT_FALSE(regime.evidence.empty());
}

TEST(ObservedBudget, IsTheSmallerOfTwoAndTenStandsForInfinity) {
  const BudgetRegime endless;
  const BudgetRegime five{.enforced = 5};
  const BudgetRegime ten{.enforced = 10};
  EXPECT_EQ(observed_budget(endless, endless), std::nullopt);
  EXPECT_EQ(observed_budget(endless, five), 5);
  EXPECT_EQ(observed_budget(ten, five), 5);
  EXPECT_EQ(shown_budget(observed_budget(endless)), 10);
  EXPECT_EQ(shown_budget(observed_budget(five)), 5);
}

TEST(CombineRegimes, TakesTheSmallestAndIsKnownIfAllAre) {
  EXPECT_EQ(combine_regimes({}), BudgetRegime{});
  const std::vector<BudgetRegime> regimes = {
      {.nominal = 10, .known = true, .evidence = "a"},
      {.nominal = 10, .enforced = 10, .known = true, .evidence = "b"},
      {.nominal = 5, .enforced = 5, .known = false, .evidence = "b"}};
  const BudgetRegime combined = combine_regimes(regimes);
  EXPECT_EQ(combined.enforced, 5);
  EXPECT_EQ(combined.nominal, std::nullopt);
  EXPECT_FALSE(combined.known);
  EXPECT_EQ(combined.evidence, "a; b");
}

TEST(BudgetContradictions, CountsSolvedEpisodesThatRanOut) {
  std::vector<EpisodeFacts> episodes(199, sketch("a"));
  episodes.push_back(sketch("A A A"));
  EXPECT_FALSE(budget_contradictions(episodes, {.enforced = 3}).warning());
  EXPECT_EQ(budget_contradictions(episodes, {.enforced = 3}).contradicting, 1U);
  EXPECT_EQ(budget_contradictions(episodes, {.enforced = 4}).contradicting, 0U);
  EXPECT_EQ(budget_contradictions(episodes, {}).contradicting, 0U);
  episodes.push_back(sketch("A A A"));
  EXPECT_TRUE(budget_contradictions(episodes, {.enforced = 3}).warning());
  EXPECT_FALSE(budget_contradictions({}, {.enforced = 3}).warning());
}

}  // namespace
}  // namespace unmask
