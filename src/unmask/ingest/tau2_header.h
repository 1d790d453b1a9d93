#pragma once

#include <string>
#include <string_view>

#include "unmask/episode/log_header.h"
#include "unmask/ingest/remarks.h"
#include "unmask/ingest/tau2_messages.h"
#include "unmask/json/value.h"

namespace unmask {

/// Fills `header` from a results file's `info` object: run settings, both parties, domain, policy,
/// tools. Credentials in `llm_args` are dropped.
void read_tau2_info(const json::Value& info, LogHeader& header);

/// Drops a `max_errors` that is no budget (below 1, or no whole number) and says so. `where` is the
/// member that holds it: `info.max_errors`.
void check_max_errors(const json::Value& value, std::string_view where, LogHeader& header,
                      const Remarks& remarks);

/// Which harness wrote the log, from the members that only some versions have, dates and how
/// episodes ended. tau2-bench began to count failed calls on 2025-11-10, after release 0.2.1.
[[nodiscard]] Harness infer_tau2_harness(const LogHeader& header, const Tau2Traces& traces);

}  // namespace unmask
