#include "unmask/episode/episode.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/clock.h"
#include "unmask/play/facts_user.h"
#include "unmask/play/orchestrator.h"
#include "unmask/simulate/course.h"
#include "unmask/simulate/plan.h"
#include "unmask/simulate/simulate_fixtures.h"
#include "unmask/simulate/simulated_agent.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/message.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::simulate {
namespace {

struct Played {
  std::vector<world::Message> messages;
  Termination termination = Termination::unexpected_error;
  int errors = 0;
  double reward = 0.0;
};

Played played(const world::World& world, const world::Task& task, const AgentSettings& settings) {
  const auto environment = world.make_environment();
  const SimulatedAgent agent(world, task, std::make_shared<Plan>(plan_of(world, task)), settings);
  const std::optional<play::StepFinder> steps =
      world.setup().user ? std::optional<play::StepFinder>(*world.setup().user) : std::nullopt;
  const play::FactsUser user(steps ? &*steps : nullptr, task);
  const ManualClock clock;
  play::Orchestrator episode(**environment, task, {}, agent, user, clock);
  episode.start();
  EXPECT_FALSE(episode.advance());
  EXPECT_FALSE(episode.raised()) << episode.raised()->text;
  Played played;
  played.messages.assign(episode.trajectory().begin(), episode.trajectory().end());
  played.termination = episode.termination().value_or(Termination::unexpected_error);
  played.errors = episode.num_errors();
  const auto reward = world::evaluate(
      world, task,
      {.messages = played.messages, .termination_reason = name_of(played.termination)});
  EXPECT_TRUE(reward);
  played.reward = reward ? reward->reward.value_or(-1.0) : -1.0;
  return played;
}

/// Margins so thick that nothing goes wrong.
AgentSettings flawless(const world::World& world) {
  AgentSettings settings;
  settings.policy = world.setup().policy;
  settings.traits.name = "flawless";
  settings.traits.ask_margin = settings.traits.call_margin = settings.traits.argument_margin =
      settings.traits.duty_margin = 50.0;
  settings.traits.invented = {{"check_phone", 0.0}};
  settings.trial_seed = 3;
  return settings;
}

TEST(SimulatedAgent, WithThickMarginsSolvesEveryTaskWithoutAnError) {
  for (const std::string_view name : {"retail", "telecom", "telecom-workflow"}) {
    const auto world = fixtures::own_world(name, 40);
    for (const world::Task& task : world->tasks()) {
      SCOPED_TRACE(task.id);
      const Played episode = played(*world, task, flawless(*world));
      EXPECT_EQ(episode.reward, 1.0);
      EXPECT_EQ(episode.errors, 0);
      EXPECT_EQ(episode.termination, Termination::user_stop);
    }
  }
}

TEST(SimulatedAgent, WithThinMarginsCallsThePhonesToolsItself) {
  const auto world = fixtures::own_world("telecom", 40);
  AgentSettings settings = flawless(*world);
  settings.traits.ask_margin = 0.0;
  settings.traits.context_sd = 2.0;
  int wrong = 0;
  int errors = 0;
  for (const world::Task& task : world->tasks()) {
    const Played episode = played(*world, task, settings);
    errors += episode.errors;
    for (const world::Message& message : episode.messages) {
      if (message.role != world::Role::assistant || !message.tool_calls) continue;
      const std::string& tool = message.tool_calls->front().name;
      if (world->setup().agent.find_tool(tool) == nullptr) ++wrong;
    }
  }
  EXPECT_GT(errors, 40);
  EXPECT_EQ(wrong, errors);
}

TEST(SimulatedAgent, LeavesOutStepsWhereItsDutyIsThin) {
  const auto world = fixtures::own_world("retail", 40);
  AgentSettings settings = flawless(*world);
  settings.traits.duty_margin = 0.0;
  int solved = 0;
  for (const world::Task& task : world->tasks()) {
    solved += played(*world, task, settings).reward == 1.0 ? 1 : 0;
  }
  EXPECT_LT(solved, 35);
}

TEST(SimulatedAgent, ARepairPromptShortensRowsOfErrors) {
  const auto world = fixtures::own_world("telecom", 40);
  AgentSettings settings = flawless(*world);
  settings.traits.ask_margin = 1.0;
  settings.traits.recovery = 0.3;
  settings.traits.diagnosed_recovery = 0.95;
  int plain = 0;
  int repaired = 0;
  for (const world::Task& task : world->tasks()) {
    settings.repair.diagnosed = false;
    plain += played(*world, task, settings).errors;
    settings.repair.diagnosed = true;
    repaired += played(*world, task, settings).errors;
  }
  EXPECT_LT(repaired, 0.7 * plain);
}

TEST(SimulatedAgent, ATurnIsAFunctionOfTheView) {
  const auto world = fixtures::own_world("telecom", 40);
  AgentSettings settings = flawless(*world);
  settings.traits.ask_margin = 1.0;
  const world::Task& task = world->tasks()[1];
  const Played before = played(*world, task, settings);
  // The second half of the episode by an agent that has not seen the first half being made.
  const auto environment = world->make_environment();
  const SimulatedAgent agent(*world, task, std::make_shared<Plan>(plan_of(*world, task)), settings);
  const play::StepFinder steps(*world->setup().user);
  const play::FactsUser user(&steps, task);
  const ManualClock clock;
  play::Orchestrator episode(**environment, task, {}, agent, user, clock);
  episode.start();
  for (std::size_t i = 1; i < before.messages.size() / 2; ++i) {
    if (before.messages[i].role == world::Role::tool) continue;
    episode.accept({.message = before.messages[i], .cost = 0.0});
  }
  EXPECT_FALSE(episode.advance());
  ASSERT_EQ(episode.trajectory().size(), before.messages.size());
  for (std::size_t i = 0; i < before.messages.size(); ++i) {
    EXPECT_EQ(episode.trajectory()[i].content, before.messages[i].content) << i;
  }
}

}  // namespace
}  // namespace unmask::simulate
