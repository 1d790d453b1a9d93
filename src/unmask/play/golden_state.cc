#include "unmask/play/golden_state.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "unmask/base/check.h"
#include "unmask/base/clock.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/first_call.h"
#include "unmask/play/facts_user.h"
#include "unmask/play/message_rules.h"
#include "unmask/play/oracle.h"
#include "unmask/play/orchestrator.h"
#include "unmask/play/participant.h"
#include "unmask/play/scripted.h"
#include "unmask/play/settings.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::play {
namespace {

/// No budget ends a prefix: what it is to show is the state.
EpisodeSettings without_limits(bool solo) {
  EpisodeSettings settings;
  settings.max_steps = std::numeric_limits<int>::max();
  settings.max_errors = std::numeric_limits<int>::max();
  settings.solo = solo;
  settings.when_empty = WhenEmpty::end;
  settings.max_held_back = 0;
  return settings;
}

std::unique_ptr<Participant> user_of(const world::Task& task, bool solo, const StepFinder* steps) {
  if (solo) return std::make_unique<NoUser>();
  return std::make_unique<FactsUser>(steps, task);
}

}  // namespace

GoldenState::GoldenState(const world::World& world, const world::Task& task, std::size_t actions,
                         bool solo, const StepFinder* steps, const Clock& clock,
                         std::unique_ptr<world::Environment> environment)
    : world_(world),
      task_(task),
      actions_(actions),
      solo_(solo),
      environment_(std::move(environment)),
      agent_(std::make_unique<Oracle>(task, solo)),
      user_(user_of(task, solo, steps)),
      orchestrator_(std::make_unique<Orchestrator>(*environment_, task, without_limits(solo),
                                                   *agent_, *user_, clock)) {
  orchestrator_->start();
  while (const std::optional<Party> speaker = orchestrator_->speaker()) {
    if (speaker == Party::agent && view().own_turns() == actions) return;
    const Participant& participant = speaker == Party::agent ? *agent_ : *user_;
    world::Outcome<Turn> turn = participant.take_turn(orchestrator_->view(*speaker));
    if (!turn) {
      orchestrator_->abandon(Termination::unexpected_error);
      return;
    }
    UNMASK_CHECK(std::holds_alternative<SentMessage>(*turn));
    orchestrator_->accept(std::get<SentMessage>(std::move(*turn)));
  }
}

world::Outcome<std::unique_ptr<GoldenState>> GoldenState::after(const world::World& world,
                                                                const world::Task& task,
                                                                std::size_t actions, bool solo,
                                                                const StepFinder* steps,
                                                                const Clock& clock) {
  world::Outcome<std::unique_ptr<world::Environment>> environment = world.make_environment(solo);
  if (!environment) return world::raised_by(environment);
  return std::unique_ptr<GoldenState>(
      new GoldenState(world, task, actions, solo, steps, clock, std::move(*environment)));
}

bool GoldenState::is_reached() const {
  return orchestrator_->speaker() == Party::agent && view().own_turns() == actions_;
}

const world::GoldenAction& GoldenState::due() const { return golden_actions(task_)[actions_]; }

Party GoldenState::due_party() const { return solo_ ? Party::agent : due().requestor; }

FirstCall GoldenState::judge(const world::Message& message) const {
  const bool asks = due_party() == Party::user;
  if (!message.tool_calls || message.tool_calls->empty()) {
    return asks && has_text(message) ? FirstCall::right : FirstCall::no_call;
  }
  const world::ToolCall& call = message.tool_calls->front();
  const world::EnvironmentSetup& setup = world_.setup();
  const bool is_offered = setup.agent.find_tool(call.name) != nullptr ||
                          (solo_ && setup.user && setup.user->find_tool(call.name) != nullptr);
  if (call.is_malformed()) return FirstCall::malformed;
  if (!is_offered) return FirstCall::unknown_tool;
  if (asks || call.name != due().name) return FirstCall::other_tool;
  return world::matches(due(), call) ? FirstCall::right : FirstCall::wrong_arguments;
}

world::Outcome<std::size_t> count_golden_states(const world::World& world, const world::Task& task,
                                                bool solo, const StepFinder* steps) {
  const ManualClock clock;
  const std::size_t actions = golden_actions(task).size();
  for (std::size_t states = 0; states < actions; ++states) {
    const auto state = GoldenState::after(world, task, states, solo, steps, clock);
    if (!state) return world::raised_by(state);
    if (!(*state)->is_reached()) return states;
  }
  return actions;
}

}  // namespace unmask::play
