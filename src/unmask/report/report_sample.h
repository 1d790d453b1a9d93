#pragma once

#include "unmask/audit/findings.h"
#include "unmask/screen/arm_screen.h"
#include "unmask/screen/validation.h"

/// Findings made by hand for the tests of this module: invented numbers of plausible size.
namespace unmask::sample {

/// One cell: fp8 is clean, int4 masked damage behind an equivalent score.
[[nodiscard]] AuditFindings masked_audit();

/// Three cells: the masked one, a clean uncensored one, and an inconclusive one with vanished
/// trials, missing numbers and names that try to deceive a terminal.
[[nodiscard]] AuditFindings study_audit();

/// masked_audit after the calls were executed again; of fp8 no writes are known.
[[nodiscard]] AuditFindings replayed_audit();

/// Nothing at all: one cell with one empty arm.
[[nodiscard]] AuditFindings empty_audit();

/// A screened reference of high risk, and an arm without episodes.
[[nodiscard]] screen::ArmScreen prone_screen();
[[nodiscard]] screen::ArmScreen unknown_screen();
/// What prone_screen foretells of int4.
[[nodiscard]] screen::Validation prone_validation();

}  // namespace unmask::sample
