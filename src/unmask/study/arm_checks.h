#pragma once

#include "unmask/audit/audit.h"
#include "unmask/base/diagnostics.h"

namespace unmask {

/// Codes of remarks about arms that are probably not what they are taken for: whatever a verdict
/// then says, it says nothing of a quantized model.
inline constexpr const char* kArmContradictsLog = "arm_contradicts_log";
inline constexpr const char* kNoCommonTask = "no_common_task";

/// Adds kArmContradictsLog where an arm's name contradicts the precision in its log's model name
/// (arms swapped), and kNoCommonTask where an arm has no observed task in common with the
/// reference, as the audit pairs tasks.
void check_arms(const CellInput& cell, Diagnostics& diagnostics);

}  // namespace unmask
