#pragma once

#include <string>

#include "unmask/audit/findings.h"
#include "unmask/report/text_style.h"

/// What executing calls again adds to the terminal's and Markdown's texts. All are empty where
/// nobody asked for it.
namespace unmask::text {

/// "bf16 2 by structure, 498 by executing them again, 1 by its text", for each arm.
[[nodiscard]] std::string evidence_fact(const CellFindings& cell, const TextStyle& style);
/// "bf16 in 12 of 456 episodes (2.6 %), first at call 9.3 on average ...", for each arm.
[[nodiscard]] std::string writes_fact(const CellFindings& cell, const TextStyle& style);
/// The scores and the gap with such episodes failed, beside those without that.
[[nodiscard]] std::string consequence_fact(const CellFindings& cell,
                                           const ComparisonFindings& comparison,
                                           const TextStyle& style);

}  // namespace unmask::text
