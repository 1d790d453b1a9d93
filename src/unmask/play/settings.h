#pragma once

#include <cstdint>
#include <optional>

#include "unmask/budget/budget_semantics.h"

namespace unmask::play {

/// What becomes of a message with neither text nor calls.
enum class WhenEmpty : std::uint8_t {
  raise,  ///< as tau2-bench: the run fails, without a result
  end,    ///< the episode ends as its sender's error, with reward 0, and stays on record
};

/// Rules of an episode. The defaults are those of tau2-bench's batch runner.
struct EpisodeSettings {
  int max_steps = 200;
  int max_errors = 10;  ///< the error budget K
  BudgetSemantics budget;
  std::optional<double> timeout_seconds;  ///< since start(); tested after a step, never within
  bool validate_communication = false;    ///< text beside calls ends the episode
  bool solo = false;                      ///< the agent works on a ticket, there is no user
  WhenEmpty when_empty = WhenEmpty::raise;
  /// How many messages of one turn are held back at most (Participant::objection); the next is
  /// taken whatever it is.
  int max_held_back = 2;
  std::optional<std::uint64_t> seed;  ///< put into every request to a model
};

}  // namespace unmask::play
