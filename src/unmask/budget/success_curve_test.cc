#include "unmask/budget/success_curve.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/budget/budget_test_support.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"

namespace unmask {
namespace {

EpisodeFacts in_task(std::uint32_t task, EpisodeFacts episode) {
  episode.task = task;
  return episode;
}

EpisodeFacts excluded(std::uint32_t task) {
  EpisodeFacts episode = in_task(task, sketch("", false, Termination::infrastructure_error));
  episode.excluded = Exclusion::infrastructure;
  return episode;
}

/// Three tasks: 0 with two trials, 1 with one and an excluded one, 2 with nothing but an excluded
/// one; made under an enforced budget of 3.
ArmFacts small_arm() {
  ArmFacts arm;
  arm.budget = {.nominal = 3, .enforced = 3, .known = true};
  for (const char* id : {"t0", "t1", "t2"}) arm.tasks.push_back({.id = id, .key = id});
  arm.episodes = {in_task(0, sketch("a a")), in_task(0, sketch("A a A a")),
                  in_task(1, out_of_budget("A U A")), excluded(1), excluded(2)};
  return arm;
}

TEST(SuccessCurve, AnArmWithoutEpisodesHasNoScore) {
  ArmFacts arm;
  arm.tasks.push_back({.id = "t", .key = "t"});
  const SuccessCurve curve = success_curve(arm);
  EXPECT_TRUE(curve.tasks.empty());
  EXPECT_EQ(curve.last_budget, 10);
  EXPECT_FALSE(score(curve, 1).has_value());
  EXPECT_FALSE(episode_score(curve, 1).has_value());
}

TEST(SuccessCurve, CountsPerTaskAndBudget) {
  const SuccessCurve curve = success_curve(small_arm(), {.last_budget = 5});
  ASSERT_EQ(curve.tasks.size(), 2U);
  EXPECT_EQ(curve.tasks[0].trials, 2U);
  EXPECT_EQ(curve.tasks[0].passed_low, (std::vector<std::uint32_t>{1, 1, 2, 2, 2}));
  EXPECT_EQ(curve.tasks[0].passed_high, curve.tasks[0].passed_low);
  EXPECT_EQ(curve.tasks[1].trials, 1U);
  EXPECT_EQ(curve.tasks[1].passed_low, (std::vector<std::uint32_t>{0, 0, 0, 0, 0}));
  EXPECT_EQ(curve.tasks[1].passed_high, (std::vector<std::uint32_t>{0, 0, 0, 1, 1}));
  EXPECT_EQ(curve.episodes, 3U);
  EXPECT_EQ(curve.vanished, 2U);
  EXPECT_EQ(score(curve, 1), (Band{0.25, 0.25}));
  EXPECT_EQ(score(curve, 3), (Band{0.5, 0.5}));
  EXPECT_EQ(score(curve, 4), (Band{0.5, 1.0}));
  EXPECT_TRUE(score(curve, 3)->exact());
  EXPECT_FALSE(score(curve, 4)->exact());
  EXPECT_EQ(episode_score(curve, 4), (Band{2.0 / 3.0, 1.0}));
  EXPECT_THROW((void)score(curve, 6), BugError);
}

TEST(SuccessCurve, VanishedTrialsFailOrPass) {
  CurveOptions options{.last_budget = 1, .vanished = VanishedAs::failed};
  const SuccessCurve failed = success_curve(small_arm(), options);
  ASSERT_EQ(failed.tasks.size(), 3U);
  EXPECT_EQ(trial_counts(failed, 1), (std::vector<TrialCount>{{0, 2, 1}, {1, 2, 0}, {2, 1, 0}}));
  options.vanished = VanishedAs::passed;
  EXPECT_EQ(trial_counts(success_curve(small_arm(), options), 1),
            (std::vector<TrialCount>{{0, 2, 1}, {1, 2, 1}, {2, 1, 1}}));
  // The header promised three trials a task: the unrecorded ones vanished as well.
  options.trials_promised = 3;
  const SuccessCurve promised = success_curve(small_arm(), options);
  EXPECT_EQ(promised.vanished, 6U);
  EXPECT_EQ(trial_counts(promised, 1), (std::vector<TrialCount>{{0, 3, 2}, {1, 3, 2}, {2, 3, 3}}));
  // More trials than promised: nothing vanished but the excluded ones.
  options.trials_promised = 1;
  EXPECT_EQ(success_curve(small_arm(), options).vanished, 2U);
}

TEST(SuccessCurve, ExceedIsReachOneLater) {
  const SuccessCurve reach = success_curve(small_arm(), {.last_budget = 6});
  const SuccessCurve exceed =
      success_curve(small_arm(), {.semantics = {.ends = Ends::exceed}, .last_budget = 5});
  for (int budget = 1; budget <= 5; ++budget) {
    EXPECT_EQ(score(exceed, budget), score(reach, budget + 1)) << budget;
  }
}

TEST(TrialCounts, TakesTheEndOfTheBand) {
  const SuccessCurve curve = success_curve(small_arm());
  EXPECT_EQ(trial_counts(curve, 10, BandEnd::low)[1], (TrialCount{1, 1, 0}));
  EXPECT_EQ(trial_counts(curve, 10, BandEnd::high)[1], (TrialCount{1, 1, 1}));
}

TEST(SuccessCurve, AStrayWriteEndsAnEpisode) {
  const auto written = [](std::uint32_t task, std::uint32_t stray_writes, bool known = true) {
    EpisodeFacts episode = sketch("a A a");
    episode.task = task;
    episode.reexecution =
        ReexecutionFacts{.status = ReexecutionFacts::Status::done,
                         .golden_actions_known = known,
                         .stray_writes = stray_writes,
                         .first_stray_write = stray_writes > 0 ? std::optional(0U) : std::nullopt};
    return episode;
  };
  ArmFacts arm;
  arm.tasks = {{"t0", "t0"}, {"t1", "t1"}};
  EpisodeFacts unasked = sketch("a");
  unasked.task = 1;
  arm.episodes = {written(0, 0), written(0, 2), written(1, 0, false), unasked};
  const auto score_under = [&](StrayWrites stray_writes, int budget) {
    return score(success_curve(arm, {.last_budget = 2, .stray_writes = stray_writes}), budget);
  };
  // At K = 1 the failed call ends those that have one.
  EXPECT_EQ(score_under(StrayWrites::passed_over, 1), (Band{0.25, 0.25}));  // t0 0 of 2, t1 1 of 2
  EXPECT_EQ(score_under(StrayWrites::passed_over, 2), (Band{1.0, 1.0}));
  EXPECT_EQ(score_under(StrayWrites::known_only, 1), (Band{0.0, 0.0}));  // t0 alone
  EXPECT_EQ(score_under(StrayWrites::known_only, 2), (Band{1.0, 1.0}));
  EXPECT_EQ(score_under(StrayWrites::end_episode, 2), (Band{0.5, 0.5}));  // 1 of 2
  for (EpisodeFacts& episode : arm.episodes) episode.reexecution.reset();
  EXPECT_FALSE(score_under(StrayWrites::end_episode, 2).has_value());
}

}  // namespace
}  // namespace unmask
