#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/ingest/episode_intake.h"
#include "unmask/ingest/importer.h"
#include "unmask/ingest/remarks.h"
#include "unmask/ingest/tau2_conversion.h"
#include "unmask/ingest/tau2_messages.h"
#include "unmask/ingest/tau2_simulation.h"
#include "unmask/json/parser.h"
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

/// Importer::episode of all tau2-bench layouts; `members` finds the simulation in the text's
/// object.
[[nodiscard]] Result<Episode> reread_tau2_episode(
    std::string_view text, const LogHeader& header,
    Tau2Simulation (*members)(const json::Value& object));

/// What importers of all tau2-bench layouts share while they read one log.
class Tau2Log {
 public:
  explicit Tau2Log(ImportJob job, std::string_view format);

  [[nodiscard]] LogHeader& header() { return header_; }
  [[nodiscard]] Tau2Traces& traces() { return traces_; }
  [[nodiscard]] json::Parser& parser() { return parser_; }
  [[nodiscard]] ImportJob& job() { return job_; }
  [[nodiscard]] Remarks remarks(const std::string& file) const { return {job_.diagnostics, file}; }

  /// Parses a piece; reports repairs and, if it is unreadable, `code` with `what` it would have
  /// been. Empty if unreadable.
  std::optional<json::Value> parse(std::string_view text, std::uint64_t offset,
                                   const std::string& what, const Remarks& remarks);
  /// Reports keys of the last parsed piece that stood twice.
  void report_duplicate_keys(const Remarks& remarks) const;

  void add_task(const json::Value& task);
  /// What a conversion wrote about the original (see Tau2Conversion).
  void set_conversion(Tau2Conversion conversion) { conversion_ = std::move(conversion); }
  /// Reads one simulation and hands it on. `place` names it in messages. False: the sink stopped.
  bool add_simulation(const Tau2Simulation& simulation, EpisodeRef ref, const std::string& place,
                      const std::string& file);
  /// As above for an element of `simulations`, given as text.
  bool add_simulation_text(std::string_view text, EpisodeRef ref, const std::string& place,
                           const std::string& file);

  /// Sends the header to the sink unless that was done.
  void send_header();
  [[nodiscard]] bool header_sent() const { return header_sent_; }
  [[nodiscard]] std::size_t episodes() const { return intake_.taken(); }
  /// Counts that are known only at the end, the harness, digests.
  [[nodiscard]] LogHeader finish();

 private:
  ImportJob job_;
  LogHeader header_;
  Tau2Traces traces_;
  Tau2Histories histories_;
  Tau2Conversion conversion_;
  EpisodeIntake intake_;
  json::Parser parser_;
  bool header_sent_ = false;
  bool transcripts_;
};

}  // namespace unmask
