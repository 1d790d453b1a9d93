#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "unmask/play/participant.h"
#include "unmask/simulate/course.h"
#include "unmask/simulate/plan.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::simulate {

/// An agent that goes the course of its task (Course): it calls tools, asks the user for steps on
/// the phone, and ends with a message that says what the task wants said. One that takes the task
/// up at a golden action (AgentSettings) makes nothing of what was said before its first turn. Of
/// one episode; thread-compatible. `world` and `task` must outlive it; `plan` is plan_of(world,
/// task), which trials and arms may share.
class SimulatedAgent final : public play::Participant {
 public:
  SimulatedAgent(const world::World& world, const world::Task& task,
                 std::shared_ptr<const Plan> plan, AgentSettings settings);
  SimulatedAgent(const SimulatedAgent&) = delete;  // its course points into its settings
  SimulatedAgent& operator=(const SimulatedAgent&) = delete;

  [[nodiscard]] world::Outcome<play::Turn> take_turn(const play::View& view) const override;

 private:
  /// What follows from a view, kept so that the next turn doesn't begin at the first message again:
  /// a view that goes on from the last one only adds to it.
  struct Progress {
    Course course;
    std::size_t seen = 0;      ///< messages of the view taken into account
    std::size_t turns = 0;     ///< own ones among them
    bool handed_over = false;  ///< the call that does it was made
  };

  Progress& begin() const;
  Progress& follow(const play::View& view) const;
  [[nodiscard]] world::Message next_message(const Progress& progress) const;

  const world::World& world_;
  const world::Task& task_;
  std::shared_ptr<const Plan> plan_;
  AgentSettings settings_;
  mutable std::optional<Progress> progress_;
};

}  // namespace unmask::simulate
