#include "unmask/power/process_moments.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "unmask/base/rng.h"
#include "unmask/episode/facts.h"
#include "unmask/power/gamma_grid.h"
#include "unmask/synthetic/example_study.h"

namespace unmask::power {
namespace {

TEST(GammaGrid, HasTheMomentsOfTheDensity) {
  for (const double shape : {0.05, 0.3, 0.969, 2.832, 50.0, 5000.0}) {
    SCOPED_TRACE(shape);
    const LogGrid grid = gamma_grid(shape, grid_step(shape, 1.0));
    double sum = 0.0, mean = 0.0, square = 0.0;
    for (std::size_t i = 0; i < grid.weights.size(); ++i) {
      sum += grid.weights[i];
      mean += grid.weights[i] * grid.factor(i);
      square += grid.weights[i] * grid.factor(i) * grid.factor(i);
    }
    EXPECT_NEAR(sum, 1.0, 1e-12);
    EXPECT_NEAR(mean, 1.0, 1e-6);
    EXPECT_NEAR(square, 1.0 + 1.0 / shape, 1e-5 * (1.0 + 1.0 / shape));
  }
  EXPECT_EQ(gamma_grid(1e6, 0.25).weights.size(), 1U);
}

TEST(GammaGrid, ProductHasTheProductOfTheMoments) {
  const double step = grid_step(0.969, 2.832);
  const LogGrid grid = product(gamma_grid(0.969, step), gamma_grid(2.832, step));
  double mean = 0.0, square = 0.0;
  for (std::size_t i = 0; i < grid.weights.size(); ++i) {
    mean += grid.weights[i] * grid.factor(i);
    square += grid.weights[i] * grid.factor(i) * grid.factor(i);
  }
  EXPECT_NEAR(mean, 1.0, 1e-6);
  EXPECT_NEAR(square, (1.0 + 1.0 / 0.969) * (1.0 + 1.0 / 2.832), 1e-5);
}

TEST(ProcessMoments, WithoutSlipsNothingFails) {
  synthetic::CellProcess process = synthetic::retail_process("cell");
  const ProcessMoments moments = process_moments(process, {.slip_rate = 0.0});
  EXPECT_EQ(moments.errors_per_episode, 0.0);
  EXPECT_NEAR(moments.calls_per_episode, 1.0 + 0.671 * 3.93 + 0.329 * 8.404, 1e-9);
  EXPECT_NEAR(moments.stopped, 0.0, 1e-10);
  for (const double score : moments.score) EXPECT_NEAR(score, 0.671, 1e-10);
}

// One productive call, a constant slip probability: everything can be written down.
TEST(ProcessMoments, ShortEpisodeByHand) {
  synthetic::CellProcess process = synthetic::retail_process("cell");
  process.solved_extra_calls = 0.0;
  process.unsolved_extra_calls = 0.0;
  process.unsolved_trap = 1.0;
  process.trap_shape = 1e6;
  process.episode_shape = 1e6;
  process.max_errors = 3;
  process.recovery = 0.4;
  const double h = 0.3;
  const ProcessMoments moments = process_moments(process, {.slip_rate = -std::log(1.0 - h)});
  // Runs of 1, 2 and (cut) 3 errors.
  const double one = h * 0.4, two = h * 0.6 * 0.4, three = h * 0.36;
  EXPECT_NEAR(moments.errors_per_episode, one + 2.0 * two + 3.0 * three, 1e-9);
  EXPECT_NEAR(moments.stopped, three, 1e-9);
  EXPECT_NEAR(moments.calls_per_episode, moments.errors_per_episode + 1.0 - three, 1e-9);
  EXPECT_NEAR(moments.score[0], 0.671 * (1.0 - h), 1e-9);
  EXPECT_NEAR(moments.score[1], 0.671 * (1.0 - h + one), 1e-9);
  EXPECT_NEAR(moments.score[2], 0.671 * (1.0 - three), 1e-9);
}

// Means over many simulated episodes of one trial each; `se` from the episodes themselves.
struct Simulated {
  double sum = 0.0, squares = 0.0, n = 0.0;
  void add(double x) {
    sum += x;
    squares += x * x;
    ++n;
  }
  [[nodiscard]] double mean() const { return sum / n; }
  [[nodiscard]] double se() const { return std::sqrt((squares / n - mean() * mean()) / n); }
};

TEST(ProcessMoments, AreWhatSimulatedEpisodesHaveOnAverage) {
  struct Case {
    std::string name;
    synthetic::CellProcess process;
    synthetic::ArmProcess arm;
  };
  const synthetic::StudyCell headline = synthetic::headline_cell();
  synthetic::CellProcess clustered = synthetic::retail_process("clustered");
  clustered.trap_shape = 0.3;
  clustered.solve_icc = 0.7;
  clustered.max_errors = 5;
  const Case cases[] = {
      {"bf16", headline.process, headline.arms[0]},
      {"int4", headline.process, headline.arms[2]},
      {"shifted", headline.process, {.slip_rate = 0.0972, .solve_shift = -0.14}},
      {"clustered", clustered, {.slip_rate = 0.2}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const ProcessMoments expected = process_moments(c.process, c.arm);
    synthetic::CellProcess process = c.process;
    process.tasks = 20'000;
    process.trials = 1;
    Simulated errors, calls, stopped, first, last, solved;
    for (std::uint64_t replicate = 0; replicate < 2; ++replicate) {
      for (const EpisodeFacts& episode :
           simulate_arm(process, c.arm, kDefaultSeed, replicate).episodes) {
        double failed = 0.0, made = 0.0;
        for (const CallFacts& call : episode.calls) {
          if (call.party == Party::user) continue;
          failed += call.failed;
          ++made;
        }
        errors.add(failed);
        calls.add(made);
        stopped.add(episode.termination == Termination::too_many_errors ? 1.0 : 0.0);
        const std::uint32_t counted = counted_errors(episode, CountedParty::both);
        const bool within = counted < 2;
        if (episode.success) solved.add(counted);
        first.add(episode.success && within ? 1.0 : 0.0);
        last.add(episode.success ? 1.0 : 0.0);
      }
    }
    EXPECT_NEAR(errors.mean(), expected.errors_per_episode, 4.0 * errors.se());
    EXPECT_NEAR(calls.mean(), expected.calls_per_episode, 4.0 * calls.se());
    EXPECT_NEAR(stopped.mean(), expected.stopped, 4.0 * stopped.se());
    EXPECT_NEAR(solved.mean(), expected.errors_solved, 4.0 * solved.se());
    EXPECT_NEAR(first.mean(), expected.score[1], 4.0 * first.se());
    EXPECT_NEAR(last.mean(), expected.score.back(), 4.0 * last.se());
  }
}

}  // namespace
}  // namespace unmask::power
