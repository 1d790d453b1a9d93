#pragma once

#include <string>

#include "unmask/audit/findings.h"
#include "unmask/report/text_style.h"

namespace unmask {

/// The audit for a terminal. One cell: its details. Several: an overview, details of the cells that
/// are not clean (all with `style.verbose`), findings over cells. Then remarks about the input.
/// Ends in a newline.
[[nodiscard]] std::string text_report(const AuditFindings& findings, const TextStyle& style);

}  // namespace unmask
