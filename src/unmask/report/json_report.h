#pragma once

#include <string>

#include "unmask/audit/findings.h"
#include "unmask/report/producer.h"

namespace unmask {

/// The audit for machines: `"schema": "unmask.audit/1"`, docs/schemas/audit.json. Shares and rates
/// are fractions, gaps and margins points; null with a `reason` where a number can't be had.
[[nodiscard]] std::string audit_json(const AuditFindings& findings,
                                     const Producer& producer = this_program());

}  // namespace unmask
