#pragma once

#include <string>

#include "unmask/episode/log_header.h"
#include "unmask/json/value.h"

namespace unmask {

/// A task as a tau2-bench file has it. Its content hash is the SHA-256 of what defines it:
/// user_scenario, ticket, initial_state and evaluation_criteria, in canonical JSON. Left out, so
/// that older and newer layouts of one task agree: nulls, empty members and defaults; the
/// description; labels (action ids, notes); times, costs and ids of history messages; and
/// reward_basis, which is compared apart.
[[nodiscard]] TaskDefinition read_tau2_task(const json::Value& task);

/// The domain that the task's scenario names; empty if none.
[[nodiscard]] std::string domain_of_tau2_task(const json::Value& task);

}  // namespace unmask
