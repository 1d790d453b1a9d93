#pragma once

#include <span>
#include <string>

#include "unmask/inspect/inspect_report.h"
#include "unmask/report/producer.h"
#include "unmask/report/text_style.h"

namespace unmask {

/// What each log is, for a terminal: identity, budget, trials, S(K), tools, what is missing.
[[nodiscard]] std::string inspect_text(std::span<const InspectReport> logs, const TextStyle& style);

/// `"schema": "unmask.inspect/1"`, docs/schemas/inspect.json: one entry a log.
[[nodiscard]] std::string inspect_json(std::span<const InspectReport> logs,
                                       const Producer& producer = this_program());

}  // namespace unmask
