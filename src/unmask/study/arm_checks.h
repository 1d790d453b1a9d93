#pragma once

#include <cstddef>

#include "unmask/audit/audit.h"
#include "unmask/base/diagnostics.h"

namespace unmask {

/// Codes of remarks about arms that are probably not what they are taken for: whatever a verdict
/// then says, it says nothing of a quantized model.
inline constexpr const char* kArmContradictsLog = "arm_contradicts_log";
inline constexpr const char* kNoCommonTask = "no_common_task";
/// Arms that can't differ, being one file (found by read_study).
inline constexpr const char* kSameBytesInTwoArms = "same_bytes_in_two_arms";
/// Two arms with the same episodes: one log, packed again or converted, that can only look equal to
/// itself.
inline constexpr const char* kSameEpisodesInTwoArms = "same_episodes_in_two_arms";

/// Adds kArmContradictsLog where an arm's name contradicts the precision in its log's model name
/// (arms swapped), and kNoCommonTask where an arm has no observed task in common with the
/// reference, as the audit pairs tasks. Adds kSameEpisodesInTwoArms where two arms have the same
/// tasks and trials with the same outcomes and calls (at least kCallsThatTell of them), and the
/// same model, seconds and tokens where both logs have them; not if kSameBytesInTwoArms was added
/// already.
inline constexpr std::size_t kCallsThatTell = 20;
void check_arms(const CellInput& cell, Diagnostics& diagnostics);

}  // namespace unmask
