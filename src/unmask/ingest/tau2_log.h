#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/ingest/episode_intake.h"
#include "unmask/ingest/importer.h"
#include "unmask/ingest/piece.h"
#include "unmask/ingest/remarks.h"
#include "unmask/ingest/tau2_conversion.h"
#include "unmask/ingest/tau2_messages.h"
#include "unmask/ingest/tau2_simulation.h"
#include "unmask/json/parser.h"

namespace unmask {

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
  [[nodiscard]] ImportJob& job() { return job_; }
  [[nodiscard]] Remarks remarks(const std::string& file) const { return {job_.diagnostics, file}; }

  /// `parse_piece` with this log's parser.
  std::optional<json::Value> parse(std::string_view text, std::uint64_t offset,
                                   const std::string& what, const Remarks& remarks) {
    return parse_piece(parser_, text, offset, what, remarks);
  }
  void report_duplicate_keys(const Remarks& remarks) const {
    unmask::report_duplicate_keys(parser_, remarks);
  }

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
  bool task_texts_;
};

}  // namespace unmask
