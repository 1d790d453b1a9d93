#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"

namespace unmask::play {

/// Reads a judge's answer, JSON with `results`, a list of `{expectedOutcome, reasoning,
/// metExpectation}`; an answer without the key counts as empty. Raises JSONDecodeError, KeyError or
/// TypeError, as the original does, where it is something else.
[[nodiscard]] world::Outcome<std::vector<world::NlCheck>> read_judgement(std::string_view answer);

}  // namespace unmask::play
