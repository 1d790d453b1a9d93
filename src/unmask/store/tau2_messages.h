#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "unmask/json/parser.h"
#include "unmask/store/run.h"

namespace unmask::store {

/// Appends the messages of an episode as tau2-bench's list: each with all its members in its
/// order; those that a body lacks have their defaults, or come from the turn. Turns of kind `aside`
/// are no messages. Counts calls whose arguments are no JSON object in `malformed`. The number of
/// the turn whose body is no message on failure.
[[nodiscard]] std::optional<std::size_t> append_messages(std::string& out,
                                                         std::span<const Turn> turns,
                                                         json::Parser& parser,
                                                         std::size_t& malformed);

}  // namespace unmask::store
