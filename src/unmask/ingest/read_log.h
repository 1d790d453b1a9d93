#pragma once

#include <string>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/episode_sink.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/log_input.h"

namespace unmask {

/// Reads a log of any known format, chosen by its content, in one pass: the sink gets the header
/// and the episodes one at a time, so memory is bounded by the largest episode. What can't be used
/// is skipped and reported to `diagnostics`. Returns the complete header. Errors: bad_input (not a
/// log, a format that is not read, nothing usable), outside (disk, permission), interrupted (the
/// sink stopped); each names file, place and remedy.
Result<LogHeader> read_log(const LogInput& input, EpisodeSink& sink, Diagnostics& diagnostics);
/// As above with the log's first file open already, so that standard input, which can't be opened
/// twice, can be read twice.
Result<LogHeader> read_log(const LogInput& input, const LogFile& first, EpisodeSink& sink,
                           Diagnostics& diagnostics);

/// A log in memory. Superseded episodes are dropped.
struct LoadedLog {
  LogHeader header;
  std::vector<Episode> episodes;
};

/// As `read_log`, collected.
Result<LoadedLog> load_log(const LogInput& input, Diagnostics& diagnostics);
/// The one log at `path`. Errors also if the path holds several logs.
Result<LoadedLog> load_log(const std::string& path, Diagnostics& diagnostics);

}  // namespace unmask
