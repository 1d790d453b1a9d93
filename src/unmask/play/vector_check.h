#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "unmask/base/error.h"
#include "unmask/world/value.h"
#include "unmask/world/vector_check.h"
#include "unmask/world/world.h"

namespace unmask::play {

/// Whether a line is a vector of a whole run (`agent_script` and `expected`).
[[nodiscard]] bool is_run_vector(const world::Value& line);
/// Whether a line is a run at several error budgets (`success_at` and `vector`).
[[nodiscard]] bool is_counterfactual_vector(const world::Value& line);

/// The domain that a vector of this module names.
[[nodiscard]] std::optional<std::string> domain_of_vector(const world::Value& line);

/// Plays a run and compares everything that its vector records in `expected` (docs/worlds.md). Of
/// what was raised, the type is compared, and the text as far as it is no dump of the original's
/// objects. `place` begins the errors. Errors: bad_input for a line that is no such vector or names
/// a task that `world` lacks.
[[nodiscard]] Result<world::VectorCheck> check_run(const world::World& world,
                                                   const world::Value& line,
                                                   std::string_view place);

/// Plays the run of a counterfactual vector at each budget that it records, and compares success,
/// ending, counts, and at its own budget everything. Place and errors as check_run.
[[nodiscard]] Result<world::VectorCheck> check_counterfactual(const world::World& world,
                                                              const world::Value& line,
                                                              std::string_view place);

/// Any vector: of calls, of an evaluated episode, of a run, of a run at several budgets.
[[nodiscard]] bool is_vector(const world::Value& line);
[[nodiscard]] Result<world::VectorCheck> check_any_vector(const world::World& world,
                                                          const world::Value& line,
                                                          std::string_view place);

}  // namespace unmask::play
