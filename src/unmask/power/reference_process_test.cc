#include "unmask/power/reference_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/rng.h"
#include "unmask/power/process_moments.h"
#include "unmask/synthetic/example_study.h"

namespace unmask::power {
namespace {

ArmFacts simulated(synthetic::CellProcess process, double slip_rate, int tasks, int trials) {
  process.tasks = tasks;
  process.trials = trials;
  return simulate_arm(process, {.slip_rate = slip_rate}, kDefaultSeed);
}

TEST(EstimateProcess, RecoversTheProcessOfALargeLog) {
  synthetic::CellProcess truth = synthetic::telecom_process("cell");
  truth.mix = {.tool_name = 0.6, .arguments = 0.2, .entity = 0.15, .precondition = 0.05};
  const auto fit = estimate_process(simulated(truth, 0.0648, 3000, 4));
  ASSERT_TRUE(fit.has_value()) << fit.error().message;
  const synthetic::CellProcess& process = fit->process;
  EXPECT_EQ(process.domain, "telecom");
  EXPECT_EQ(process.tasks, 3000);
  EXPECT_EQ(process.trials, 4);
  EXPECT_EQ(process.max_errors, 10);
  EXPECT_NEAR(fit->arm.slip_rate, 0.0648, 0.005);
  // What clusters in tasks and what in episodes is hard to tell apart; their product less so: over
  // seeds it scatters by 0.24 around a mean of 2.54 (truth 2.75).
  EXPECT_NEAR(process.trap_shape, 0.969, 0.3);
  EXPECT_NEAR((1.0 + 1.0 / process.trap_shape) * (1.0 + 1.0 / process.episode_shape),
              (1.0 + 1.0 / 0.969) * (1.0 + 1.0 / 2.832), 0.75);
  EXPECT_NEAR(process.solve_mean, 0.671, 0.02);
  EXPECT_NEAR(process.solve_icc, 0.4, 0.03);
  EXPECT_NEAR(process.solved_extra_calls, 3.93, 0.1);
  EXPECT_NEAR(process.unsolved_extra_calls, 8.404, 0.3);
  EXPECT_NEAR(process.unsolved_trap, 3.726, 0.4);
  EXPECT_NEAR(process.recovery, 0.55, 0.02);
  EXPECT_NEAR(process.user_calls, truth.user_calls, 0.03);
  EXPECT_NEAR(process.user_failure, 0.005, 0.002);
  EXPECT_NEAR(process.mix.tool_name, 0.6, 0.03);
  EXPECT_NEAR(process.mix.precondition, 0.05, 0.02);
  EXPECT_THAT(fit->notes, testing::IsEmpty());
}

TEST(EstimateProcess, MeetsErrorsAndScoreOfAnOrdinaryLog) {
  for (const double slip : {0.01, 0.0648, 0.279}) {
    SCOPED_TRACE(slip);
    const ArmFacts log = simulated(synthetic::telecom_process("cell"), slip, 114, 4);
    double errors = 0.0, solved = 0.0;
    for (const EpisodeFacts& episode : log.episodes) {
      solved += episode.success;
      for (const CallFacts& call : episode.calls) {
        errors += call.failed && call.party == Party::agent;
      }
    }
    const auto fit = estimate_process(log);
    ASSERT_TRUE(fit.has_value());
    const ProcessMoments moments = process_moments(fit->process, fit->arm);
    EXPECT_NEAR(moments.errors_per_episode, errors / 456.0, 1e-6 * errors);
    EXPECT_NEAR(moments.score.back(), solved / 456.0, 0.002);
  }
}

TEST(EstimateProcess, SaysWhatALogCanNotTell) {
  const auto fit = estimate_process(simulated(synthetic::retail_process("cell"), 0.02, 114, 1));
  ASSERT_TRUE(fit.has_value());
  EXPECT_EQ(fit->process.domain, "retail");
  EXPECT_EQ(fit->process.solve_icc, 0.0);
  EXPECT_THAT(fit->notes, testing::Contains(testing::HasSubstr("cluster in tasks is assumed")));

  ArmFacts airline = simulated(synthetic::retail_process("cell"), 0.1, 50, 2);
  airline.domain = "airline";
  airline.budget.enforced.reset();
  const auto other = estimate_process(airline);
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(other->process.domain, "retail");
  EXPECT_THAT(other->notes, testing::IsSupersetOf({testing::HasSubstr("airline"),
                                                   testing::HasSubstr("budget of 10")}));
}

TEST(EstimateProcess, RefusesLogsThatTellNothing) {
  const ArmFacts log = simulated(synthetic::telecom_process("cell"), 0.0648, 20, 2);
  const auto changed = [&](auto change) {
    ArmFacts copy = log;
    for (EpisodeFacts& episode : copy.episodes) change(episode);
    return estimate_process(copy);
  };
  EXPECT_FALSE(estimate_process(ArmFacts{}).has_value());
  EXPECT_FALSE(changed([](EpisodeFacts& e) { e.excluded = Exclusion::infrastructure; }));
  EXPECT_FALSE(changed([](EpisodeFacts& e) { e.success = false; }));
  const auto all_solved = changed([](EpisodeFacts& e) {
    e.success = true;
    e.calls.resize(1);
  });
  ASSERT_FALSE(all_solved.has_value());
  EXPECT_EQ(all_solved.error().code, ErrorCode::bad_input);
  EXPECT_THAT(all_solved.error().message, testing::HasSubstr("every episode is solved"));
  const auto no_errors = changed([](EpisodeFacts& e) {
    for (CallFacts& call : e.calls) call.failed = false;
  });
  ASSERT_FALSE(no_errors.has_value());
  EXPECT_THAT(no_errors.error().message, testing::HasSubstr("no call failed"));
}

}  // namespace
}  // namespace unmask::power
