#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "unmask/base/error.h"
#include "unmask/ingest/log_file.h"
#include "unmask/json/scanner.h"

namespace unmask {

/// What reading a file through a scanner gave.
struct FileScan {
  json::ScanReport report;     ///< `stopped` also where `progress` asked to stop
  std::optional<Error> error;  ///< reading failed after `unpacked` bytes; the report is of those
  std::uint64_t unpacked = 0;  ///< bytes that the scanner got
  Result<std::string> sha256;  ///< of the bytes on disk; empty if stopped
};

/// Bytes on disk read so far. False stops.
using ScanProgress = std::function<bool(std::uint64_t done)>;

/// Reads `file` from its beginning, unpacks, hashes and scans it into `pieces`.
[[nodiscard]] FileScan scan_here(const LogFile& file, json::PieceSink& pieces,
                                 const ScanProgress& progress);

/// The same, with reading, unpacking, hashing and scanning on a thread of its own, which runs ahead
/// of the sink by at most twice kAheadBytes of pieces (or one larger piece). A sink that answers
/// Take::rest keeps it running; any other `begin` waits until the sink has caught up. `pieces` and
/// `progress` are called from the calling thread only, in the same order and with the same values,
/// so the result is the same. The thread has ended when this returns or throws.
[[nodiscard]] FileScan scan_ahead(const LogFile& file, json::PieceSink& pieces,
                                  const ScanProgress& progress);
inline constexpr std::uint64_t kAheadBytes = std::uint64_t{8} << 20U;

}  // namespace unmask
