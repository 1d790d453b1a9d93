#pragma once

#include <string>

#include "unmask/audit/findings.h"

namespace unmask {

/// The audit for pull requests and model cards: verdicts, S(K), channels, notes, as Markdown.
[[nodiscard]] std::string audit_markdown(const AuditFindings& findings);

}  // namespace unmask
