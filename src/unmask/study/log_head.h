#pragma once

#include <cstddef>
#include <set>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/log_input.h"
#include "unmask/study/log_facts.h"

namespace unmask {

/// What a first pass over a log learns, for a second one that takes its episodes.
struct LogHead {
  LogHeader header;  ///< complete, its tasks with their texts
  /// Episodes, counted from 0 as they come, that a later one replaces.
  std::set<std::size_t> superseded;
};

/// How a log's head is read.
struct HeadReading {
  ReadProgress progress;
  bool read_ahead = false;  ///< as EpisodeSink::wants_read_ahead
};

/// Reads a log, whose first file is open already, for its head. Errors: as read_log.
[[nodiscard]] Result<LogHead> read_head(const LogInput& input, const LogFile& first,
                                        Diagnostics& diagnostics, const HeadReading& how = {});

}  // namespace unmask
