#pragma once

#include <cstddef>
#include <memory>

#include "unmask/base/clock.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/first_call.h"
#include "unmask/play/facts_user.h"
#include "unmask/play/orchestrator.h"
#include "unmask/play/participant.h"
#include "unmask/world/environment.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::play {

/// A task after its first golden actions: the oracle has played them against the scripted user,
/// whatever user the task's episodes have, and the agent's message is due. What it has seen of it
/// is what an agent is asked with for its first call (`unmask run --single-turn`). All that it is
/// given must outlive it.
class GoldenState {
 public:
  /// Plays `actions` golden actions of `task`; `steps` as FactsUser takes them. Raises what making
  /// the environment raises.
  [[nodiscard]] static world::Outcome<std::unique_ptr<GoldenState>> after(
      const world::World& world, const world::Task& task, std::size_t actions, bool solo,
      const StepFinder* steps, const Clock& clock);

  /// Whether the actions could be played and the agent's message is due: not where one of them ends
  /// the episode.
  [[nodiscard]] bool is_reached() const;

  /// The golden action that is due. Precondition: is_reached(), and the task has so many.
  [[nodiscard]] const world::GoldenAction& due() const;
  /// Who takes it: the user where the agent is to ask for it in words.
  [[nodiscard]] Party due_party() const;

  /// What the agent has seen.
  [[nodiscard]] View view() const { return orchestrator_->view(Party::agent); }

  /// What a message of the agent is here: its first call counts, or that there is none.
  [[nodiscard]] FirstCall judge(const world::Message& message) const;

  /// Lets the agent send it; its calls are executed. Precondition: is_reached(); once.
  void accept(SentMessage sent) { orchestrator_->accept(std::move(sent)); }

  /// Everything, the message and what became of it included.
  [[nodiscard]] const Orchestrator& orchestrator() const { return *orchestrator_; }

 private:
  GoldenState(const world::World& world, const world::Task& task, std::size_t actions, bool solo,
              const StepFinder* steps, const Clock& clock,
              std::unique_ptr<world::Environment> environment);

  const world::World& world_;
  const world::Task& task_;
  std::size_t actions_;
  bool solo_;
  std::unique_ptr<world::Environment> environment_;
  std::unique_ptr<Participant> agent_;
  std::unique_ptr<Participant> user_;
  std::unique_ptr<Orchestrator> orchestrator_;
};

/// How many states of `task` have a golden action due that can be reached: those after 0, 1, ...
/// golden actions. 0 for a task without golden actions. Raises as GoldenState::after.
[[nodiscard]] world::Outcome<std::size_t> count_golden_states(const world::World& world,
                                                              const world::Task& task, bool solo,
                                                              const StepFinder* steps);

}  // namespace unmask::play
