#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "unmask/episode/episode.h"
#include "unmask/ingest/remarks.h"
#include "unmask/ingest/tau2_messages.h"
#include "unmask/json/value.h"

namespace unmask {

/// History length of each task, by id.
using Tau2Histories = std::unordered_map<std::string, std::uint32_t>;

/// The members of one simulation, wherever a layout puts them. Missing ones stay missing.
struct Tau2Simulation {
  json::Value id;
  json::Value task_id;
  json::Value trial;
  json::Value seed;
  json::Value timestamp;
  json::Value termination_reason;
  json::Value reward_info;
  json::Value reward;  ///< where a layout has it outside of reward_info
  json::Value messages;
  json::Value ticks;
  json::Value duration;
  json::Value agent_cost;
  json::Value user_cost;
  json::Value error;       ///< text of a crash
  json::Value held_back;   ///< messages that a repair held back, of logs of unmask
  json::Value first_call;  ///< likewise: where this is one answer and no episode
  bool crashed = false;    ///< the layout says so: no observation of the model
};

/// The members of an element of `simulations` (FORMATS sections 1, 2a and 2d).
[[nodiscard]] Tau2Simulation simulation_members(const json::Value& simulation);

/// Makes an episode of it. Strange values are reported to `remarks`, never guessed. Empty if
/// neither messages nor ticks are stored, so that nobody can tell what was called (reported too); a
/// crashed episode has none by design and is kept. With `transcript`, it has its messages' texts.
[[nodiscard]] std::optional<Episode> read_tau2_simulation(const Tau2Simulation& simulation,
                                                          const Tau2Histories& histories,
                                                          Tau2Traces& traces,
                                                          const Remarks& remarks,
                                                          bool transcript = false);

/// Notes what an element of `simulations` tells about the harness that wrote it.
void note_simulation_members(const json::Value& simulation, Tau2Traces& traces);

}  // namespace unmask
