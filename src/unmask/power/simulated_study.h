#pragma once

#include <cstdint>

#include "unmask/audit/audit.h"
#include "unmask/synthetic/example_study.h"

namespace unmask::power {

/// The cell's arms as simulated, ready for audit_study; the first arm is the reference.
/// `replicate` redraws tasks and episodes. A pure function of its arguments.
[[nodiscard]] CellInput simulate_cell(const synthetic::StudyCell& cell, std::uint64_t seed,
                                      std::uint64_t replicate);

/// Settings for auditing replicate `replicate` of a simulated study: what the verdict needs and no
/// more, and sign vectors of its own, so that tests of different replicates are independent.
/// With `sign_flips` random vectors the smallest p-value is 1/(1 + sign_flips); the tests stay
/// exact, they only lose a little power.
[[nodiscard]] AuditSettings simulation_settings(std::uint32_t sign_flips, std::uint64_t seed,
                                                std::uint64_t replicate);

}  // namespace unmask::power
