#include "unmask/ingest/scan_file.h"

#include <cstdint>
#include <string>
#include <utility>

#include "unmask/base/error.h"
#include "unmask/ingest/episode_sink.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/read_ahead.h"
#include "unmask/ingest/remarks.h"
#include "unmask/json/scanner.h"

namespace unmask {

namespace {

/// Bytes on disk from which a thread of its own pays for a file.
constexpr std::uint64_t kWorthAThread = std::uint64_t{1} << 21U;

void report_scan(const json::ScanReport& report, const Remarks& remarks) {
  const std::string byte = std::to_string(report.offset);
  if (report.broken_lines > 0) {
    const std::string first = std::to_string(report.first_broken_line);
    remarks.about({}, report.first_broken_line)
        .loss("broken_line",
              (report.broken_lines == 1
                   ? "the line at byte " + first + " breaks off or is not JSON; it is"
                   : std::to_string(report.broken_lines) +
                         " lines break off or are not JSON, the first at byte " + first +
                         "; they are") +
                  " left out, the others are used (a run that was stopped and started again?)");
  }
  if (report.large_pieces > 0) {
    constexpr std::uint64_t kLimit = json::Scanner::kMaxPieceBytes >> 20U;
    const std::string place =
        report.first_large_place == "the top" ? "the first document" : report.first_large_place;
    const std::string limit = " more than " + std::to_string(kLimit) + " MiB";
    remarks.about({}, report.first_large)
        .loss("too_large",
              (report.large_pieces == 1
                   ? place + " has" + limit + ", which no episode has; it is"
                   : std::to_string(report.large_pieces) + " values have" + limit +
                         ", which no episode has, the first at " + place + "; they are") +
                  " left out, the rest is used");
  }
  switch (report.end) {
    case json::ScanEnd::truncated:
      remarks.about({}, report.began)
          .loss("truncated_file", "the file ends at byte " + byte + " within " + report.place +
                                      ", which began at byte " + std::to_string(report.began) +
                                      "; everything before it is used (copy the file again, or "
                                      "finish the run)");
      break;
    case json::ScanEnd::malformed:
      remarks.about({}, report.offset)
          .loss("malformed_json", "not JSON at byte " + byte + " (in " + report.place +
                                      "): " + report.message +
                                      "; everything before it is used, nothing after it");
      break;
    case json::ScanEnd::too_large:
      remarks.about({}, report.began)
          .loss("too_large", report.place + " has " + report.message +
                                 "; everything before it is used, nothing after it");
      break;
    case json::ScanEnd::complete:
    case json::ScanEnd::empty:
    case json::ScanEnd::stopped:
      break;
  }
}

}  // namespace

Result<ScanOutcome> scan_file(const LogFile& file, json::PieceSink& pieces, EpisodeSink& sink,
                              const Remarks& remarks, const JobProgress& progress) {
  bool interrupted = false;
  const ScanProgress report_progress = [&](std::uint64_t done) {
    interrupted = !sink.progress(progress.done_before + done, progress.total);
    return !interrupted;
  };
  FileScan scan = sink.wants_read_ahead() && file.bytes_on_disk() >= kWorthAThread
                      ? scan_ahead(file, pieces, report_progress)
                      : scan_here(file, pieces, report_progress);
  if (interrupted) return fail(ErrorCode::interrupted, file.name() + ": reading was interrupted");
  if (scan.error) {
    if (scan.error->code != ErrorCode::bad_input || scan.unpacked == 0) {
      return tl::unexpected(std::move(*scan.error));
    }
    // Damaged compression: what could be unpacked counts.
    remarks.about({}, scan.unpacked)
        .loss("damaged_file", scan.error->message + "; everything before is used");
  }
  ScanOutcome outcome;
  outcome.report = std::move(scan.report);
  outcome.bytes = file.bytes_on_disk();
  if (outcome.report.end == json::ScanEnd::stopped) return outcome;
  report_scan(outcome.report, remarks);
  if (!scan.sha256) return tl::unexpected(std::move(scan.sha256.error()));
  outcome.sha256 = std::move(*scan.sha256);
  return outcome;
}

}  // namespace unmask
