#include "unmask/stats/failure_set.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/base/rng.h"
#include "unmask/stats/name_counts.h"
#include "unmask/stats/novelty.h"
#include "unmask/stats/rank_correlation.h"
#include "unmask/stats/resampling.h"
#include "unmask/stats/shape.h"

namespace unmask::stats {
namespace {

using Values = std::vector<double>;
using Rows = std::vector<NameRow>;

TEST(RankCorrelation, Edges) {
  EXPECT_FALSE(rank_correlation(Values{1, 2, 3}, Values{1, 2, 3}).spearman.has_value());
  EXPECT_FALSE(rank_correlation(Values{1, 1, 1, 1}, Values{1, 2, 3, 4}).kendall_tau_b.has_value());
  EXPECT_EQ(average_ranks(Values{}), Values{});
  EXPECT_EQ(average_ranks(Values{5, 1, 5, 2}), (Values{3.5, 1, 3.5, 2}));
  EXPECT_THROW((void)average_ranks(Values{std::numeric_limits<double>::quiet_NaN()}), BugError);
  EXPECT_THROW((void)rank_correlation(Values{1, 2, 3, 4}, Values{1, 2, 3}), BugError);
}

/// Pair by pair, from the definition.
double kendall_by_pairs(const Values& x, const Values& y) {
  double score = 0.0, untied_x = 0.0, untied_y = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      score += (x[i] - x[j]) * (y[i] - y[j]) > 0.0 ? 1.0 : 0.0;
      score -= (x[i] - x[j]) * (y[i] - y[j]) < 0.0 ? 1.0 : 0.0;
      untied_x += x[i] != x[j] ? 1.0 : 0.0;
      untied_y += y[i] != y[j] ? 1.0 : 0.0;
    }
  }
  return score / std::sqrt(untied_x * untied_y);
}

TEST(RankCorrelation, KendallIsThatOfAllPairs) {
  Rng rng(5, "kendall", 0);
  for (std::size_t size = 4; size < 60; ++size) {
    Values x, y;
    for (std::size_t i = 0; i < size; ++i) {
      x.push_back(rng.below(3 + static_cast<std::uint32_t>(size) / 2));
      y.push_back(rng.below(4) * 1000.5);
    }
    const RankCorrelation found = rank_correlation(x, y);
    if (!found.kendall_tau_b) continue;
    EXPECT_DOUBLE_EQ(*found.kendall_tau_b, kendall_by_pairs(x, y)) << size;
  }
}

TEST(RankCorrelation, CountsAndOtherNumbersRankAlike) {
  // Small counts are ranked by counting, anything else by sorting.
  const Values counts = {0, 3, 1, 3, 0, 2, 5};
  Values others;
  for (const double count : counts) others.push_back(count * 1000.0 - 0.5);
  EXPECT_EQ(average_ranks(counts), average_ranks(others));
  EXPECT_EQ(average_ranks(counts), (Values{1.5, 5.5, 3, 5.5, 1.5, 4, 7}));
}

TEST(NamesByTask, MergesBothArms) {
  const Rows reference = {{1, 0, 4, 2}, {1, 1, 4, 1}, {1, 0, 0, 1}};
  const Rows arm = {{1, 0, 5, 1}, {1, 3, 4, 2}, {0, 0, 2, 1}, {1, 2, 2, 7}, {1, 2, 4, 1}};
  const auto tasks = names_by_task({.tasks = 3, .names = 6, .reference = reference, .arm = arm});
  ASSERT_EQ(tasks.size(), 3U);
  EXPECT_EQ(tasks[0], (std::vector<TaskName>{{.name = 2, .arm = 1}}));
  EXPECT_EQ(tasks[1],
            (std::vector<TaskName>{{.name = 0, .reference = 1, .reference_episodes = 1},
                                   {.name = 2, .arm = 7},
                                   {.name = 4, .reference = 3, .arm = 3, .reference_episodes = 2},
                                   {.name = 5, .arm = 1}}));
  EXPECT_TRUE(tasks[2].empty());
}

TEST(RankCorrelation, PerfectOrders) {
  const Values up = {1, 20, 300, 4000, 50000};
  const Values down = {9, 8, 7, 6, 5};
  EXPECT_DOUBLE_EQ(*rank_correlation(up, up).spearman, 1.0);
  EXPECT_DOUBLE_EQ(*rank_correlation(up, down).spearman, -1.0);
  EXPECT_DOUBLE_EQ(*rank_correlation(up, down).kendall_tau_b, -1.0);
}

TEST(SpearmanPermutation, SmallSamplesAreExact) {
  // Of 4! orders only the identity and its reverse reach |rho| = 1.
  const PermutationTest four = spearman_permutation_test(Values{1, 2, 3, 4}, Values{2, 4, 6, 9});
  EXPECT_TRUE(four.exact);
  EXPECT_NEAR(*four.p, 2.0 / 24.0, 1e-15);
  // Ties: 1,1,2,2 against 1,1,2,2 - two of six distinct orders.
  EXPECT_NEAR(*spearman_permutation_test(Values{1, 1, 2, 2}, Values{1, 1, 2, 2}).p, 1.0 / 3.0,
              1e-15);
  EXPECT_FALSE(spearman_permutation_test(Values{1, 2}, Values{1, 2}).p.has_value());
}

TEST(SpearmanPermutation, ExactAndDrawnAgree) {
  const Values x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const Values y = {2, 1, 4, 3, 7, 5, 6, 10, 8, 9};
  const PermutationTest exact = spearman_permutation_test(x, y);
  EXPECT_TRUE(exact.exact);
  EXPECT_LT(*exact.p, 0.001);
  Values long_x = x;
  Values long_y = {5, 9, 1, 8, 4, 10, 2, 7, 3, 6};
  long_x.push_back(11);
  long_y.push_back(11);
  const PermutationTest drawn = spearman_permutation_test(long_x, long_y, {.replicates = 20'000});
  EXPECT_FALSE(drawn.exact);
  EXPECT_GT(*drawn.p, 0.2);
  EXPECT_EQ(drawn, spearman_permutation_test(long_x, long_y, {.replicates = 20'000}));
}

TEST(NameCounts, MergesRowsInAnyOrder) {
  const Rows reference = {{1, 4, 2, 1}, {0, 0, 1, 2}, {1, 4, 2, 3}, {1, 5, 2, 1}};
  const Rows arm = {{1, 0, 2, 7}, {1, 1, 0, 1}};
  const auto tasks = names_by_task({.tasks = 3, .names = 3, .reference = reference, .arm = arm});
  ASSERT_EQ(tasks.size(), 3U);
  EXPECT_EQ(tasks[0], (std::vector<TaskName>{{1, 2.0, 0.0, 1}}));
  EXPECT_EQ(tasks[1], (std::vector<TaskName>{{0, 0.0, 1.0, 0}, {2, 5.0, 7.0, 2}}));
  EXPECT_TRUE(tasks[2].empty());
  EXPECT_EQ(totals_by_name(reference, 3), (Values{0, 2, 5}));
  EXPECT_EQ(totals_by_task(reference, 3), (Values{2, 5, 0}));
  EXPECT_THROW((void)names_by_task({.tasks = 1, .names = 3, .reference = reference}), BugError);
  EXPECT_THROW((void)totals_by_name(reference, 2), BugError);
}

TEST(Novelty, EmptyArms) {
  const Rows some = {{0, 0, 0, 2}};
  const Novelty no_reference = novelty({.tasks = 2, .names = 1, .arm = some});
  EXPECT_EQ(no_reference.novel_share, 1.0);
  EXPECT_FALSE(no_reference.good_turing_episode.has_value());
  EXPECT_FALSE(no_reference.excess.figure.value.has_value());
  const Novelty no_arm = novelty({.tasks = 2, .names = 1, .reference = some});
  EXPECT_FALSE(no_arm.novel_share.has_value());
  EXPECT_EQ(no_arm.good_turing_episode, 1.0);
  EXPECT_FALSE(no_arm.rarefied_to.has_value());
}

TEST(Novelty, RarefiedToEverythingIsTheDistinctCount) {
  const Rows reference = {{0, 0, 0, 5}, {1, 1, 1, 4}};
  const Rows arm = {{0, 0, 0, 4}, {1, 1, 2, 3}};
  const Novelty result = novelty({.tasks = 2, .names = 3, .reference = reference, .arm = arm});
  EXPECT_EQ(result.rarefied_to, 7.0);
  EXPECT_DOUBLE_EQ(*result.distinct_arm_rarefied, 2.0);
  EXPECT_DOUBLE_EQ(*result.novel_distinct_rarefied, 1.0);
  EXPECT_TRUE(result.excess.se.has_value());
}

TEST(Novelty, JackknifeIsThatOfNaiveRecounts) {
  Rng rng(9, "novelty_test");
  Rows reference;
  Rows arm;
  const std::size_t tasks = 15;
  for (std::uint32_t task = 0; task < tasks; ++task) {
    for (std::uint32_t trial = 0; trial < 3; ++trial) {
      const std::uint32_t episode = task * 3 + trial;
      reference.push_back({task, episode, rng.below(9), 1 + rng.below(2)});
      arm.push_back({task, episode, rng.below(12), 1 + rng.below(3)});
    }
  }
  Values left_out;
  for (std::uint32_t task = 0; task < tasks; ++task) {
    const auto other = [&](const Rows& rows) {
      Rows kept;
      std::ranges::copy_if(rows, std::back_inserter(kept),
                           [&](const NameRow& row) { return row.task != task; });
      return kept;
    };
    const Rows a = other(reference);
    const Rows b = other(arm);
    left_out.push_back(
        *novelty({.tasks = tasks, .names = 12, .reference = a, .arm = b}).excess.figure.value);
  }
  double mean = 0.0;
  for (const double x : left_out) mean += x / 15.0;
  double squares = 0.0;
  for (const double x : left_out) squares += (x - mean) * (x - mean);
  const Novelty all = novelty({.tasks = tasks, .names = 12, .reference = reference, .arm = arm});
  EXPECT_NEAR(*all.excess.se, std::sqrt(14.0 / 15.0 * squares), 1e-13);
}

TEST(Shape, DistanceEdges) {
  EXPECT_EQ(shape_distance(Values{1, 2}, Values{2, 4}).total_variation, 0.0);
  EXPECT_EQ(shape_distance(Values{1, 0}, Values{0, 3}).js_distance, 1.0);
  EXPECT_FALSE(shape_distance(Values{0, 0}, Values{0, 3}).reason.empty());
  EXPECT_FALSE(shape_distance(Values{}, Values{}).reason.empty());
}

// Tasks in which the reference fails with name 0 and the arm with name `arm_name`.
struct TwoNames {
  Rows reference;
  Rows arm;
  std::size_t tasks;

  TwoNames(std::size_t count, std::uint32_t arm_name) : tasks(count) {
    for (std::uint32_t task = 0; task < count; ++task) {
      reference.push_back({task, task, 0, 2});
      arm.push_back({task, task, arm_name, 3});
    }
  }
  [[nodiscard]] ShapeTest test(const Resampling& random = {}) const {
    return shape_test({.tasks = tasks, .names = 2, .reference = reference, .arm = arm}, random);
  }
};

TEST(Shape, Edges) {
  EXPECT_FALSE(TwoNames(0, 1).test().h.has_value());
  EXPECT_FALSE(TwoNames(0, 1).test().reason.empty());
  EXPECT_EQ(TwoNames(5, 0).test().h, 0.0);
  EXPECT_EQ(TwoNames(5, 0).test().p, 1.0);
  EXPECT_EQ(TwoNames(1, 1).test().p, 1.0);
}

TEST(Shape, WholeShiftIsExactUpToSixteenTasks) {
  const ShapeTest sixteen = TwoNames(16, 1).test();
  EXPECT_DOUBLE_EQ(*sixteen.h, 1.0);
  EXPECT_TRUE(sixteen.exact);
  EXPECT_EQ(sixteen.p, std::ldexp(1.0, -15));
  const ShapeTest more = TwoNames(40, 1).test({.replicates = 999});
  EXPECT_FALSE(more.exact);
  EXPECT_EQ(more.p, 0.001);
  EXPECT_EQ(more.tasks, 40U);
}

// A study with clustered errors over names with falling weights; the arm has `volume` times as
// many, and a share `fresh` of them under names of its own.
struct Study {
  static constexpr std::size_t kTasks = 60;
  static constexpr std::uint32_t kTrials = 4;
  static constexpr std::size_t kNames = 12;
  Rows reference;
  Rows arm;
  std::vector<std::uint32_t> trials = std::vector<std::uint32_t>(kTasks, kTrials);

  Study(std::uint64_t seed, double volume, double fresh) {
    Rng rng(seed, "failure_set_test");
    for (std::uint32_t task = 0; task < kTasks; ++task) {
      const double level = rng.gamma(1.0, 1.5);
      for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
        add(rng, reference, task, trial, level, 0.0);
        add(rng, arm, task, trial, level * volume, fresh);
      }
    }
  }
  [[nodiscard]] NameTable table() const { return {kTasks, kNames, reference, arm, trials, trials}; }

 private:
  static void add(Rng& rng, Rows& rows, std::uint32_t task, std::uint32_t trial, double level,
                  double fresh) {
    static constexpr double kWeights[] = {30, 20, 14, 10, 8, 6, 5, 4};
    for (std::uint32_t i = rng.poisson(level); i > 0; --i) {
      const auto known = static_cast<std::uint32_t>(rng.weighted(kWeights));
      const std::uint32_t name = rng.bernoulli(fresh) ? 8 + rng.below(4) : known;
      rows.push_back({task, task * kTrials + trial, name, 1});
    }
  }
};

TEST(FailureSet, TooFewErrors) {
  const Rows reference = {{0, 0, 0, 100}};
  const Rows arm = {{0, 0, 0, 29}};
  const std::vector<std::uint32_t> trials(20, 1);
  const FailureSet result = failure_set({20, 1, reference, arm, trials, trials});
  EXPECT_EQ(result.outcome, FailureSetOutcome::too_few_errors);
  EXPECT_FALSE(result.reason.empty());
  EXPECT_EQ(result.novelty.errors_arm, 29.0);
  EXPECT_FALSE(result.novelty.novel_share.has_value());
  EXPECT_FALSE(result.rank.spearman.has_value());
  EXPECT_FALSE(result.shape.p.has_value());
  EXPECT_EQ(name_of(result.outcome), "too_few_errors");
}

TEST(FailureSet, BothErrorsAndTasksAreNeeded) {
  for (const std::uint32_t tasks : {9U, 10U}) {
    Rows rows;
    for (std::uint32_t task = 0; task < tasks; ++task) rows.push_back({task, task, task % 5, 4});
    const std::vector<std::uint32_t> trials(20, 1);
    const FailureSet result =
        failure_set({20, 5, rows, rows, trials, trials}, {.flips = 99, .swaps = 99});
    EXPECT_EQ(result.outcome == FailureSetOutcome::too_few_errors, tasks == 9);
    EXPECT_EQ(result.reason.empty(), tasks == 10);
  }
}

TEST(FailureSet, TheLimitDecides) {
  // Two errors of 120 under a new name: an excess of 1.7 points, above 0 but not surely.
  Rows reference;
  for (std::uint32_t task = 0; task < 30; ++task) {
    for (std::uint32_t trial = 0; trial < 2; ++trial) {
      reference.push_back({task, task * 2 + trial, (task + trial) % 3, 2});
    }
  }
  Rows arm = reference;
  arm[0].name = 3;
  const std::vector<std::uint32_t> trials(30, 2);
  const NameTable table = {30, 4, reference, arm, trials, trials};
  const FailureSetOptions options = {.flips = 99, .swaps = 99};
  const FailureSet result = failure_set(table, options);
  EXPECT_NEAR(*result.novelty.excess.figure.value, 1.0 / 60.0, 1e-12);
  EXPECT_EQ(result.outcome, FailureSetOutcome::invariant_failure_set);
  FailureSetOptions stricter = options;
  stricter.invariant_excess = *result.novelty.excess.upper_bound;
  EXPECT_EQ(failure_set(table, stricter).outcome, FailureSetOutcome::undecided);
}

TEST(FailureSet, LouderOnly) {
  const Study study(1, 2.5, 0.0);
  const FailureSet result = failure_set(study.table(), {.flips = 999, .swaps = 200});
  EXPECT_EQ(result.outcome, FailureSetOutcome::invariant_failure_set);
  EXPECT_EQ(result.novelty.novel_share, 0.0);
  EXPECT_GT(*result.rank.spearman, 0.8);
  EXPECT_GE(*result.ceiling.median, *result.ceiling.low);
  EXPECT_GE(*result.rank.spearman, *result.ceiling.low - 0.1);
  EXPECT_EQ(result.ceiling.dropped, 0U);
  EXPECT_GT(*result.shape.p, 0.01);
  EXPECT_EQ(result, failure_set(study.table(), {.flips = 999, .swaps = 200}));
}

TEST(FailureSet, NewFailures) {
  const Study study(2, 1.0, 0.4);
  const FailureSet result = failure_set(study.table(), {.flips = 999, .swaps = 200});
  EXPECT_EQ(result.outcome, FailureSetOutcome::new_failures);
  EXPECT_NEAR(*result.novelty.novel_share, 0.4, 0.1);
  EXPECT_LT(*result.rank.spearman, *result.ceiling.low);
  EXPECT_LT(*result.shape.p, 0.01);
}

TEST(NoiseCeiling, OnlyVolumeChanged) {
  // The coefficient lies below the 5th percentile in few of 40 studies where only volume changed.
  int below = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Study study(100 + seed, 1.0, 0.0);
    const NameTable table = study.table();
    const Values a = totals_by_name(table.reference, 8);
    const Values b = totals_by_name(table.arm, 8);
    if (*rank_correlation(a, b).spearman < *noise_ceiling(table, {.replicates = 200}).low) ++below;
  }
  EXPECT_LE(below, 7);  // P(Bin(40, .05) > 7) = 0.1 %
}

TEST(NoiseCeiling, NeedsTheTrials) {
  const Study study(3, 1.0, 0.0);
  NameTable table = study.table();
  table.arm_trials = {};
  EXPECT_THROW((void)noise_ceiling(table), BugError);
}

}  // namespace
}  // namespace unmask::stats
