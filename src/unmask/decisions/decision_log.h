#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/log_input.h"

namespace unmask::decisions {

/// A log with the texts that its decisions are made of, in memory.
struct DecisionLog {
  LogHeader header;
  std::vector<Episode> episodes;  ///< with transcripts; superseded ones are dropped
};

/// Reads a log. Trials that the log does not number are numbered in its order. `goes_on`: bytes
/// read and all bytes. Errors: those of read_log; bad_input for a log of first calls, which does
/// not hold what they were answers to, and for one without transcripts.
[[nodiscard]] Result<DecisionLog> read_decision_log(
    const LogInput& input, const std::function<bool(std::uint64_t, std::uint64_t)>& goes_on,
    Diagnostics& diagnostics);

}  // namespace unmask::decisions
