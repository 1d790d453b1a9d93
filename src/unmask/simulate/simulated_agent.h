#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "unmask/play/participant.h"
#include "unmask/simulate/course.h"
#include "unmask/simulate/decision.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::simulate {

/// What makes a simulated agent of one episode.
struct AgentSettings {
  std::string policy;  ///< that the agent is told, in which names may be tempting
  ModelTraits traits;
  LogitNoise noise;
  RepairTraits repair;
  std::uint64_t seed = 0;        ///< of the study: fixes what trials and arms share
  std::uint64_t trial_seed = 0;  ///< of the episode, the same in all arms
};

/// An agent that goes the course of its task (Course): it calls tools, asks the user for steps on
/// the phone, and ends with a message that says what the task wants said. Of one episode;
/// thread-compatible. `world` and `task` must outlive it.
class SimulatedAgent final : public play::Participant {
 public:
  SimulatedAgent(const world::World& world, const world::Task& task, AgentSettings settings);
  SimulatedAgent(const SimulatedAgent&) = delete;  // its course points into its settings
  SimulatedAgent& operator=(const SimulatedAgent&) = delete;

  [[nodiscard]] world::Outcome<play::Turn> take_turn(const play::View& view) const override;

 private:
  /// What follows from a view, kept so that the next turn doesn't begin at the first message again:
  /// a view that goes on from the last one only adds to it.
  struct Progress {
    Course course;
    std::size_t seen = 0;        ///< messages of the view taken into account
    std::size_t turns = 0;       ///< own ones among them
    std::size_t finishings = 0;  ///< turns after the end of the course
  };

  Progress& begin() const;
  Progress& follow(const play::View& view) const;
  [[nodiscard]] world::Message next_message(const Progress& progress) const;

  const world::World& world_;
  const world::Task& task_;
  AgentSettings settings_;
  mutable std::optional<Progress> progress_;
};

}  // namespace unmask::simulate
