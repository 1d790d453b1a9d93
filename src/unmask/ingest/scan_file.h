#pragma once

#include <cstdint>
#include <string>

#include "unmask/base/error.h"
#include "unmask/ingest/episode_sink.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/remarks.h"
#include "unmask/json/scanner.h"

namespace unmask {

/// One scan of one file: bytes in, pieces to a sink, digest, progress. Truncation and damage are
/// reported; what stands before them was delivered.
struct ScanOutcome {
  json::ScanReport report;
  std::string sha256;  ///< of the bytes on disk
  std::uint64_t bytes = 0;
};

/// Progress over the files of a job.
struct JobProgress {
  std::uint64_t done_before = 0;  ///< bytes of the files finished
  std::uint64_t total = 0;
};

/// Scans `file` into `pieces`. Errors: outside (disk), interrupted (the sink stopped), bad_input if
/// the very first bytes are damaged.
Result<ScanOutcome> scan_file(const LogFile& file, json::PieceSink& pieces, EpisodeSink& sink,
                              const Remarks& remarks, const JobProgress& progress);

}  // namespace unmask
