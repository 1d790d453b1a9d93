#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/play/participant.h"
#include "unmask/run/cell_world.h"
#include "unmask/run/run_study.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"

namespace unmask::run {

/// Who plays an episode.
struct Cast {
  /// Who writes calls as text, or is helped with calls, speaks through one of these.
  std::vector<std::unique_ptr<play::Participant>> within;
  std::unique_ptr<play::Participant> agent;
  std::unique_ptr<play::Participant> user;
};

/// The messages of scripted agents: by task id, `*` for all others.
using Script = std::map<std::string, std::vector<world::Message>, std::less<>>;

/// Reads a script: a JSON object of lists of messages as tau2-bench writes them, by task id.
/// Errors: outside or bad_input, with file and place.
[[nodiscard]] Result<Script> read_script(const std::string& path);

/// What the participants of an arm's episodes are made from.
struct Casting {
  const CellPlan* cell = nullptr;
  const CellWorld* world = nullptr;
  const ArmPlan* arm = nullptr;
  std::string_view precision;      ///< of the arm
  const Script* script = nullptr;  ///< of a scripted agent
  bool agent_writes_text = false;  ///< a model's calls are text (text_protocol)
  bool user_writes_text = false;
  std::uint64_t study_seed = 0;
  /// The agent takes the task up where this golden action is due; nullopt: from its beginning.
  std::optional<std::size_t> golden_action;
};

/// Whether an arm's precision and model are such as a simulated agent can have; of other agents,
/// nothing. Errors: bad_input with the names that there are.
[[nodiscard]] Result<void> check_casting(const Casting& casting);

/// The participants of an episode of `task`. Raises what the original raises for a task that such
/// an agent can't play. Precondition: check_casting passed.
[[nodiscard]] world::Outcome<Cast> cast_of(const Casting& casting, const CellTask& task,
                                           std::uint64_t seed);

}  // namespace unmask::run
