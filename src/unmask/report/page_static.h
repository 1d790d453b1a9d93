#pragma once

#include <string>
#include <string_view>

#include "unmask/audit/findings.h"

namespace unmask {

/// Text for HTML, also inside a quoted attribute: markup escaped, deceptive characters visible.
[[nodiscard]] std::string html_escaped(std::string_view text);

/// Verdicts and main tables as HTML, for a browser that runs no script: what audit_markdown says.
[[nodiscard]] std::string page_static(const AuditFindings& findings);

}  // namespace unmask
