#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/budget/success_curve.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"
#include "unmask/inspect/harness_averages.h"
#include "unmask/inspect/inspect_report.h"
#include "unmask/inspect/tool_usage.h"
#include "unmask/inspect/trial_ledger.h"

namespace unmask {
namespace {

CallFacts call_of(std::uint32_t name, Party party, bool failed, std::uint32_t message) {
  CallFacts call;
  call.name = name;
  call.party = party;
  call.failed = failed;
  call.message = message;
  return call;
}

EpisodeFacts episode_of(std::uint32_t task, int trial, double reward) {
  EpisodeFacts episode;
  episode.task = task;
  episode.trial = trial;
  episode.reward = reward;
  episode.success = reward == 1.0;
  episode.termination = Termination::user_stop;
  episode.messages = 8;
  return episode;
}

EpisodeFacts placeholder(std::uint32_t task, int trial) {
  EpisodeFacts episode = episode_of(task, trial, 0.0);
  episode.excluded = Exclusion::infrastructure;
  episode.termination = Termination::infrastructure_error;
  episode.messages = 0;
  return episode;
}

ArmFacts two_tasks() {
  ArmFacts arm;
  arm.tasks = {{.id = "lamp", .key = "lamp"}, {.id = "sofa", .key = "sofa"}};
  return arm;
}

LogHeader two_tasks_of(int trials) {
  LogHeader header;
  header.num_trials = trials;
  for (const char* id : {"lamp", "sofa"}) header.tasks.push_back({.id = id});
  return header;
}

TEST(Inspect, AnEmptyLogHasNoFigures) {
  const InspectReport report = inspect({}, {}, {});
  EXPECT_TRUE(report.score.empty());
  EXPECT_TRUE(report.tools.empty());
  EXPECT_FALSE(report.averages.average_reward.has_value());
  ASSERT_EQ(report.averages.pass.size(), 1U);
  EXPECT_TRUE(report.averages.pass[0].pass_hat.empty());
  EXPECT_EQ(report.trials, TrialLedger{});
  EXPECT_FALSE(report.budget.observed.has_value());
}

TEST(Inspect, SaysWhereCensoringStarts) {
  ArmFacts arm = two_tasks();
  arm.budget = {.nominal = 10, .enforced = 2, .known = true};
  arm.names.intern("find_lamp");
  EpisodeFacts stopped = episode_of(1, 0, 0.0);
  stopped.termination = Termination::too_many_errors;
  for (std::uint32_t i = 0; i < 3; ++i) {
    stopped.calls.push_back(call_of(0, Party::agent, true, i / 2));
  }
  arm.episodes = {episode_of(0, 0, 1.0), stopped};
  const InspectReport report = inspect({}, arm, {});
  EXPECT_TRUE(report.budget.max_errors_is_stale);
  EXPECT_EQ(report.budget.observed, 2);
  EXPECT_EQ(report.budget.stopped, 1U);
  EXPECT_EQ(report.budget.fewest_errors_at_stop, 3U);
  EXPECT_EQ(report.budget.contradictions.contradicting, 0U);
  ASSERT_EQ(report.score.size(), 10U);
  EXPECT_EQ(report.score[2].score, (Band{0.5, 0.5}));
  EXPECT_EQ(report.score[3].score, (Band{0.5, 1.0}));
  EXPECT_EQ(report.terminations.at(static_cast<std::size_t>(Termination::too_many_errors)), 1U);
  EXPECT_EQ(report.agent, (PartyCalls{3, 3}));
  EXPECT_EQ(report.user, PartyCalls{});
}

TEST(Inspect, AddsALargeObservedBudgetToTheScoreLines) {
  ArmFacts arm = two_tasks();
  arm.budget = {.nominal = 25, .enforced = 25, .known = true};
  arm.episodes = {episode_of(0, 0, 1.0)};
  const InspectReport report = inspect({}, arm, {});
  ASSERT_EQ(report.score.size(), 11U);
  EXPECT_EQ(report.score.back().budget, 25);
  EXPECT_FALSE(report.budget.max_errors_is_stale);
}

TEST(HarnessAverages, ShowBothConventionsWhereInfrastructureErrorsExist) {
  ArmFacts arm = two_tasks();
  arm.episodes = {episode_of(0, 0, 1.0), episode_of(0, 1, 1.0), placeholder(0, 2),
                  episode_of(1, 0, 1.0), episode_of(1, 1, 0.5)};
  LogHeader header{.num_trials = 3};
  const HarnessAverages averages = harness_averages(header, arm);
  EXPECT_EQ(averages.average_reward, 3.5 / 4.0);
  ASSERT_EQ(averages.pass.size(), 2U);
  EXPECT_EQ(averages.pass[0].convention, InfrastructureConvention::left_out);
  EXPECT_EQ(averages.pass[0].pass_hat, (std::vector<double>{0.75, 0.5}));
  EXPECT_EQ(averages.pass[0].trials, 4U);
  EXPECT_EQ(averages.pass[1].convention, InfrastructureConvention::failed);
  ASSERT_EQ(averages.pass[1].pass_hat.size(), 2U);
  EXPECT_NEAR(averages.pass[1].pass_hat[0], (2.0 / 3.0 + 0.5) / 2.0, 1e-15);
  EXPECT_NEAR(averages.pass[1].pass_hat[1], (1.0 / 3.0) / 2.0, 1e-15);
  EXPECT_EQ(averages.pass[1].trials, 5U);
  // The header's own number of trials bounds k.
  header.num_trials = 1;
  EXPECT_EQ(harness_averages(header, arm).pass[0].pass_hat.size(), 1U);
}

TEST(HarnessAverages, ATaskOfNothingButInfrastructureErrorsVanishesUnderOneConvention) {
  ArmFacts arm = two_tasks();
  arm.episodes = {episode_of(0, 0, 1.0), placeholder(1, 0)};
  const HarnessAverages averages = harness_averages({}, arm);
  EXPECT_EQ(averages.pass[0].pass_hat, std::vector<double>{1.0});
  EXPECT_EQ(averages.pass[0].tasks, 1U);
  EXPECT_EQ(averages.pass[1].pass_hat, std::vector<double>{0.5});
  EXPECT_EQ(averages.pass[1].tasks, 2U);
}

TEST(HarnessAverages, TauBenchAveragesCrashesAsFailures) {
  ArmFacts arm = two_tasks();
  EpisodeFacts without_reward = episode_of(1, 1, 0.0);
  without_reward.excluded = Exclusion::no_reward;
  arm.episodes = {episode_of(0, 0, 1.0), placeholder(0, 1), episode_of(1, 0, 0.5), without_reward};
  LogHeader header;
  header.harness.name = "tau-bench";
  HarnessAverages averages = harness_averages(header, arm);
  EXPECT_EQ(averages.average_reward, 1.5 / 3.0);
  ASSERT_EQ(averages.pass.size(), 1U);
  EXPECT_EQ(averages.pass[0].convention, InfrastructureConvention::failed);
  EXPECT_EQ(averages.pass[0].trials, 4U);
  EXPECT_EQ(averages.pass[0].pass_hat, (std::vector<double>{0.25, 0.0}));
  // A log of nothing but crashes has an average there, and none in tau2-bench.
  arm.episodes = {placeholder(0, 0)};
  EXPECT_EQ(harness_averages(header, arm).average_reward, 0.0);
  EXPECT_EQ(harness_averages({}, arm).average_reward, std::nullopt);
  for (EpisodeFacts& episode : arm.episodes) episode.excluded = Exclusion::no_reward;
  EXPECT_TRUE(harness_averages({}, arm).pass[0].pass_hat.empty()) << "zeros would say all failed";
}

TEST(TrialLedger, CountsWhatVanished) {
  ArmFacts arm = two_tasks();
  EpisodeFacts without_reward = episode_of(1, 0, 0.0);
  without_reward.excluded = Exclusion::no_reward;
  EpisodeFacts cut = placeholder(0, 1);
  cut.messages = 4;
  arm.episodes = {episode_of(0, 0, 1.0), cut, placeholder(0, 2), without_reward};
  const TrialLedger ledger = trial_ledger(two_tasks_of(3), arm, {});
  EXPECT_EQ(ledger.promised, 6U);
  EXPECT_EQ(ledger.recorded, 4U);
  EXPECT_EQ(ledger.observed, 1U);
  EXPECT_EQ(ledger.infrastructure, 2U);
  EXPECT_EQ(ledger.infrastructure_empty, 1U);
  EXPECT_EQ(ledger.no_reward, 1U);
  EXPECT_EQ(ledger.missing, 2U);
  EXPECT_EQ(ledger.first_missing, (std::vector<TrialKey>{{"sofa", 1}, {"sofa", 2}}));
  EXPECT_EQ(ledger.vanished(), 5U);
}

TEST(TrialLedger, UnderstandsTrialsNumberedFromOneAndMoreThanPromised) {
  ArmFacts arm = two_tasks();
  arm.episodes = {episode_of(0, 1, 1.0), episode_of(0, 2, 1.0), episode_of(1, 2, 1.0)};
  EXPECT_EQ(trial_ledger(two_tasks_of(2), arm, {}).first_missing,
            (std::vector<TrialKey>{{"sofa", 1}}));
  EXPECT_EQ(trial_ledger(two_tasks_of(1), arm, {}).missing, 0U);
  // A header without tasks: those of the episodes count. Without a number of trials: no promise.
  LogHeader header;
  EXPECT_FALSE(trial_ledger(header, arm, {}).promised.has_value());
  header.num_trials = 2;
  EXPECT_EQ(trial_ledger(header, arm, {}).missing, 1U);
}

TEST(TrialLedger, EpisodesThatDoNotNameTheirTaskAreStillSomeOfThePromised) {
  ArmFacts arm = two_tasks();
  arm.tasks.push_back({});  // the id that an episode without one gets
  arm.episodes = {episode_of(2, 0, 1.0), episode_of(2, 1, 1.0), episode_of(2, 2, 1.0)};
  TrialLedger ledger = trial_ledger(two_tasks_of(2), arm, {});
  EXPECT_EQ(ledger.missing, 1U);
  EXPECT_TRUE(ledger.first_missing.empty());
  ledger = trial_ledger(two_tasks_of(1), arm, {});
  EXPECT_EQ(ledger.missing, 0U);
}

TEST(TrialLedger, NamesTheFirstMissingOnly) {
  const TrialLedger ledger = trial_ledger(two_tasks_of(1000000), two_tasks(), {});
  EXPECT_EQ(ledger.missing, 2000000U);
  EXPECT_EQ(ledger.first_missing.size(), TrialLedger::kNamedMissing);
}

TEST(TrialLedger, TakesDuplicatesFromTheEpisodesOrTheImportersRemarks) {
  ArmFacts arm = two_tasks();
  arm.episodes = {episode_of(0, 0, 1.0), episode_of(0, 0, 0.0)};
  EXPECT_EQ(trial_ledger(two_tasks_of(1), arm, {}).duplicates, 1U);
  arm.episodes.pop_back();
  Diagnostics diagnostics;
  diagnostics.add({.code = kDuplicateTrial, .sentence = "twice"});
  EXPECT_EQ(trial_ledger(two_tasks_of(1), arm, diagnostics).duplicates, 1U);
  EXPECT_EQ(inspect(two_tasks_of(1), arm, diagnostics).diagnostics.at(kDuplicateTrial), 1U);
}

TEST(ToolUsage, ListsOfferedAndCalledNames) {
  ToolInventory tools;
  tools.agent = {{.name = "find_lamp"}, {.name = "buy"}};
  tools.user = {{.name = "look"}};
  ArmFacts arm = two_tasks();
  const std::uint32_t look = arm.names.intern("look");
  const std::uint32_t find = arm.names.intern("find_lamp");
  EpisodeFacts episode = episode_of(0, 0, 1.0);
  episode.calls = {call_of(look, Party::user, false, 1), call_of(look, Party::agent, true, 3),
                   call_of(find, Party::agent, false, 5)};
  arm.episodes = {episode};
  const std::vector<ToolUsage> usages = tool_usage(tools, arm);
  ASSERT_EQ(usages.size(), 3U);
  EXPECT_EQ(usages[0],
            (ToolUsage{.name = "look", .offered_to_user = true, .agent = {1, 1}, .user = {1, 0}}));
  EXPECT_EQ(usages[1].name, "find_lamp");
  EXPECT_EQ(usages[2].name, "buy");
  EXPECT_EQ(usages[2].calls(), 0U);
}

}  // namespace
}  // namespace unmask
