#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/task_table.h"

namespace unmask {

/// Messages, turns, tool calls, errors, tokens, seconds and cost an episode of one arm. Figures
/// that no episode has are left out.
[[nodiscard]] std::vector<LengthFindings> length_findings(const ArmFacts& arm,
                                                          const AuditSettings& settings,
                                                          std::uint64_t index);

/// The same, arm against reference on shared tasks; only what both arms have.
[[nodiscard]] std::vector<RateDifference> length_differences(const ArmFacts& ref,
                                                             const ArmFacts& arm,
                                                             const TaskPairing& pairing,
                                                             const AuditSettings& settings,
                                                             std::uint64_t index);

/// Values of one length, one an episode that has it, by task (index into ArmFacts::tasks).
/// `name` is one of length_names().
[[nodiscard]] std::vector<std::vector<double>> length_by_task(const ArmFacts& arm,
                                                              std::string_view name);
[[nodiscard]] std::span<const std::string_view> length_names();

}  // namespace unmask
