#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/play/participant.h"
#include "unmask/play/settings.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::play {

/// A recorded run of the original with scripted participants.
struct RunVector {
  std::string id;
  world::Task task;
  EpisodeSettings settings;
  std::vector<SentMessage> agent_script;
  std::vector<SentMessage> user_script;
  bool agent_stops_at_word = false;
  world::EvaluationType evaluation_type = world::EvaluationType::all;
  std::optional<std::string> judge_answer;  ///< nullopt: the judge's call raises
  const world::Value* expected = nullptr;   ///< points into the line
};

/// Reads a vector of a run. Errors: bad_input, beginning with `place`, for a line that is no such
/// vector or names a task that `world` lacks.
[[nodiscard]] Result<RunVector> read_run_vector(const world::World& world, const world::Value& line,
                                                std::string_view place);

/// What became of a run, with the keys of a vector's `expected`.
struct PlayedRun {
  world::Object found;
  bool success = false;
  std::string ending;  ///< the termination reason, or `raises:Type`
  int num_errors = 0;
  std::size_t num_messages = 0;
  std::optional<std::string> evaluation_raises;  ///< the exception's type
  std::size_t calls = 0;                         ///< executed by the loop
};

/// Plays the vector's scripts with an error budget of `max_errors`, and evaluates.
[[nodiscard]] PlayedRun play_run(const world::World& world, const RunVector& vector,
                                 int max_errors);

}  // namespace unmask::play
