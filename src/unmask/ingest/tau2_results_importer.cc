#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "unmask/ingest/folder_log.h"
#include "unmask/ingest/header_values.h"
#include "unmask/ingest/json_values.h"
#include "unmask/ingest/scan_file.h"
#include "unmask/ingest/tau2_header.h"
#include "unmask/ingest/tau2_importers.h"
#include "unmask/ingest/tau2_log.h"

namespace unmask {

namespace {

using json::Place;
using json::Take;

/// Which part of a results file a scan reads. Episodes need what `info` and `tasks` say, so where
/// `simulations` comes first (sorted keys), a second scan reads it.
enum class Part : std::uint8_t { everything, simulations };

/// Takes the pieces of a results file.
class ResultsPieces final : public json::PieceSink {
 public:
  ResultsPieces(Tau2Log& log, const LogFile& file, std::uint32_t file_index, Part part)
      : log_(log),
        name_(file.name()),
        remarks_(log.remarks(name_)),
        file_index_(file_index),
        part_(part) {}

  Take begin(const Place& place, char first, std::uint64_t offset) override {
    if (place.depth() == 0) return begin_document(place, first, offset);
    if (place.depth() > 1) return Take::rest;
    const std::string& key = place.path[0].key;
    if (part_ == Part::everything && !keys_.insert(key).second) {
      remarks_.about({}, offset)
          .loss("duplicate_key", "the key '" + key + "' stands twice at the top" +
                                     (first == '[' ? "; the elements of both are used"
                                                   : "; the last value is used"));
    }
    if (key == "simulations") return begin_simulations(first, offset);
    if (part_ == Part::simulations) return Take::skip;
    if (key == "tasks") return begin_list(key, first, offset);
    if (key == "info" || key == "timestamp" || key == "domain" || key == "model" ||
        key == "agent" || key == "simulation_index" || key == "unmask") {
      return Take::whole;
    }
    return Take::skip;
  }

  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    const std::string& key = place.path[0].key;
    if (key == "simulations") {
      const EpisodeRef ref{file_index_, offset, text.size()};
      return log_.add_simulation_text(text, ref, to_string(place), name_);
    }
    const auto value = log_.parse(text, offset, to_string(place), remarks_);
    if (!value) return true;
    if (key == "tasks") {
      log_.add_task(*value);
    } else if (key == "info") {
      read_info(*value, offset);
    } else if (key == "simulation_index") {
      for (const json::Value entry : value->elements()) {
        indexed_.insert(text_or_number(entry["id"]));
      }
    } else if (key == "unmask") {
      log_.set_conversion(read_tau2_conversion(*value));
    } else if (key == "timestamp") {
      log_.header().timestamp = value->text();
    } else if (key == "domain" && !info_seen_) {
      log_.header().domain = value->text();
    } else if (key == "model" && !info_seen_) {
      set_agent_model(value->text(), log_.header().identity);
    } else if (key == "agent" && !info_seen_) {
      log_.header().identity.agent_implementation = value->text();
    }
    log_.report_duplicate_keys(remarks_.about(to_string(place), offset));
    return true;
  }

  void end(const Place& place) override {
    if (place.depth() == 1 && place.path[0].key == "tasks") tasks_seen_ = true;
  }

  /// Ids that `simulation_index` names.
  [[nodiscard]] std::set<std::string>& indexed() { return indexed_; }
  [[nodiscard]] bool postponed() const { return postponed_; }
  [[nodiscard]] bool info_seen() const { return info_seen_; }
  [[nodiscard]] bool tasks_seen() const { return tasks_seen_; }
  [[nodiscard]] bool simulations_seen() const { return simulations_seen_; }

 private:
  Take begin_document(const Place& place, char first, std::uint64_t offset) {
    if (place.document == 0 && first == '{') return Take::inside;
    if (place.document == 1 && part_ == Part::everything) {
      remarks_.about({}, offset)
          .loss("second_document", "a second JSON value follows at byte " + std::to_string(offset) +
                                       "; it is not used (one results file holds one object)");
    }
    return Take::skip;
  }

  Take begin_list(const std::string& key, char first, std::uint64_t offset) {
    if (first == '[') return Take::inside;
    if (first != 'n') {
      remarks_.about({}, offset).loss("wrong_type", key + " is no list; it is not used");
    }
    return Take::skip;
  }

  Take begin_simulations(char first, std::uint64_t offset) {
    if (first == 'n') return Take::skip;  // null: the folder form
    simulations_seen_ = true;
    if (part_ == Part::everything && !(info_seen_ && tasks_seen_)) {
      postponed_ = true;
      return Take::skip;
    }
    return begin_list("simulations", first, offset);
  }

  void read_info(const json::Value& info, std::uint64_t offset) {
    if (!info.is_object()) {
      remarks_.about({}, offset)
          .loss("wrong_type", "info is " + std::string(name_of(info.kind())) +
                                  " instead of an object; it is not used");
      return;
    }
    info_seen_ = true;
    const std::string domain = log_.header().domain;
    read_tau2_info(info, log_.header());
    check_max_errors(info["max_errors"], "info.max_errors", log_.header(),
                     remarks_.about({}, offset));
    if (log_.header().domain.empty()) log_.header().domain = domain;
  }

  Tau2Log& log_;
  std::string name_;
  Remarks remarks_;
  std::uint32_t file_index_;
  Part part_;
  std::set<std::string> keys_;
  std::set<std::string> indexed_;
  bool info_seen_ = false;
  bool tasks_seen_ = false;
  bool simulations_seen_ = false;
  bool postponed_ = false;
};

struct ResultsFile {
  ScanOutcome scan;
  bool simulations_seen = false;
  std::set<std::string> indexed;  ///< ids that `simulation_index` names
};

/// Reads a results file, with its simulations where it has them.
Result<ResultsFile> read_results_file(const LogFile& file, Tau2Log& log,
                                      const JobProgress& progress) {
  const Remarks remarks = log.remarks(file.name());
  ResultsPieces pieces(log, file, 0, Part::everything);
  auto scan = scan_file(file, pieces, log.job().sink, remarks, progress);
  if (!scan) return tl::unexpected(scan.error());
  ResultsFile result{std::move(*scan), pieces.simulations_seen(), std::move(pieces.indexed())};
  if (!pieces.info_seen()) ++log.header().missing_fields["info"];
  if (!pieces.tasks_seen()) ++log.header().missing_fields["tasks"];
  if (pieces.postponed() && result.scan.report.end != json::ScanEnd::stopped) {
    ResultsPieces second(log, file, 0, Part::simulations);
    // What is wrong with the file was said by the first scan.
    Diagnostics said_before;
    const auto again =
        scan_file(file, second, log.job().sink, Remarks(said_before, file.name()), progress);
    if (!again) return tl::unexpected(again.error());
    result.scan.report.end = again->report.end;
  }
  if (result.scan.report.end == json::ScanEnd::stopped) {
    return fail(ErrorCode::interrupted, file.name() + ": reading was interrupted");
  }
  return result;
}

/// Looks whether `simulations` is a list, at any place of the top object.
class SimulationsProbe final : public json::PieceSink {
 public:
  Take begin(const Place& place, char first, std::uint64_t /*offset*/) override {
    if (place.document == 0 && place.depth() == 0) return Take::inside;
    if (place.depth() == 1 && place.path[0].key == "simulations" && first == '[') found = true;
    return Take::skip;
  }
  bool piece(const Place& /*place*/, std::string_view /*text*/, std::uint64_t /*at*/) override {
    return !found;
  }

  bool found = false;
};

Result<bool> has_own_simulations(const LogFile& file, EpisodeSink& sink) {
  SimulationsProbe probe;
  Diagnostics ignored;
  const auto scan =
      scan_file(file, probe, sink, Remarks(ignored, file.name()), {0, file.bytes_on_disk()});
  if (!scan) return tl::unexpected(scan.error());
  return probe.found;
}

class Tau2ResultsImporter final : public Importer {
 public:
  [[nodiscard]] std::string_view format() const override { return "tau2 results"; }
  [[nodiscard]] bool recognises(const Fingerprint& print, bool is_folder) const override {
    // What follows the first object is reported when it is read.
    const bool has_object = print.shape == Shape::object || print.shape == Shape::lines;
    return !is_folder && has_object && has_tau2_results(print);
  }
  Result<LogHeader> read(ImportJob job) const override {
    auto file = first_file(job);
    if (!file) return tl::unexpected(file.error());
    if (const auto folder = folder_log_of_head(job.input.files[0])) {
      const auto own = has_own_simulations(*file, job.sink);
      if (!own) return tl::unexpected(own.error());
      if (!*own) return tau2_folder_importer().read({*folder, job.sink, job.diagnostics});
      Remarks(job.diagnostics, file->name())
          .info(
              "simulations_folder_ignored",
              "the file has simulations of its own; the folder 'simulations' beside it is not read "
              "(tau2-bench itself would read the folder: name it if that is meant)");
    }
    Tau2Log log(job, format());
    const auto result = read_results_file(*file, log, {0, file->bytes_on_disk()});
    if (!result) return tl::unexpected(result.error());
    log.header().sha256 = result->scan.sha256;
    log.header().bytes = result->scan.bytes;
    if (!result->simulations_seen && log.header().missing_fields.contains("info")) {
      return fail(ErrorCode::bad_input,
                  file->name() + ": has neither readable 'info' nor 'simulations'" +
                      (result->scan.report.message.empty()
                           ? std::string()
                           : " (" + result->scan.report.message + " at byte " +
                                 std::to_string(result->scan.report.offset) + ")") +
                      "; copy the file again");
    }
    if (result->simulations_seen) return log.finish();
    ++log.header().missing_fields["simulations"];
    LogHeader header = log.finish();
    header.inspect_only =
        "no simulations in the file and no folder 'simulations' beside it: the head of a folder "
        "log";
    return header;
  }
  [[nodiscard]] Result<Episode> episode(std::string_view text,
                                        const LogHeader& header) const override {
    return reread_tau2_episode(text, header, simulation_members);
  }
};

class Tau2FolderImporter final : public Importer {
 public:
  [[nodiscard]] std::string_view format() const override { return "tau2 folder"; }
  [[nodiscard]] bool recognises(const Fingerprint& print, bool is_folder) const override {
    return is_folder && print.shape == Shape::object &&
           (print.has("info") || print.has("simulation_index"));
  }
  Result<LogHeader> read(ImportJob job) const override;
  [[nodiscard]] Result<Episode> episode(std::string_view text,
                                        const LogHeader& header) const override {
    return reread_tau2_episode(text, header, simulation_members);
  }
};

/// Takes the one simulation of a file.
class SimulationPieces final : public json::PieceSink {
 public:
  SimulationPieces(Tau2Log& log, std::string name, std::uint32_t file_index)
      : log_(log), name_(std::move(name)), file_index_(file_index) {}
  Take begin(const Place& place, char /*first*/, std::uint64_t /*offset*/) override {
    return place.document == 0 ? Take::whole : Take::skip;
  }
  bool piece(const Place& /*place*/, std::string_view text, std::uint64_t offset) override {
    return log_.add_simulation_text(text, {file_index_, offset, text.size()}, "the simulation",
                                    name_);
  }

 private:
  Tau2Log& log_;
  std::string name_;
  std::uint32_t file_index_;
};

/// Reports simulations that the index has and the folder lacks, and the other way round.
void compare_with_index(std::set<std::string> indexed, const LogInput& input,
                        const Remarks& remarks) {
  if (indexed.empty()) return;
  for (std::size_t i = 1; i < input.files.size(); ++i) {
    std::string stem = std::filesystem::path(input.files[i]).filename().string();
    stem.resize(stem.find(".json"));
    if (indexed.erase(stem) == 0) {
      remarks.info("simulation_not_indexed", "the simulation '" + stem +
                                                 "' stands in the folder but not in "
                                                 "simulation_index; it is used");
    }
  }
  for (const std::string& id : indexed) {
    remarks.loss("simulation_missing", "the simulation '" + id +
                                           "' stands in simulation_index but has no file; copy the "
                                           "folder again, or run it again");
  }
}

Result<LogHeader> Tau2FolderImporter::read(ImportJob job) const {
  Tau2Log log(job, format());
  JobProgress progress;
  Sha256 digests;
  std::set<std::string> indexed;
  for (std::uint32_t index = 0; index < job.input.files.size(); ++index) {
    auto file = LogFile::open(job.input.files[index]);
    if (!file) {
      if (index == 0) return tl::unexpected(file.error());
      log.remarks(job.input.files[index])
          .loss("unreadable_file", file.error().message + "; its episode is left out");
      continue;
    }
    const Remarks remarks = log.remarks(file->name());
    progress.total = progress.done_before + file->bytes_on_disk();
    ScanOutcome scan;
    if (index == 0) {
      auto result = read_results_file(*file, log, progress);
      if (!result) return tl::unexpected(result.error());
      indexed = std::move(result->indexed);
      scan = std::move(result->scan);
    } else {
      SimulationPieces pieces(log, file->name(), index);
      auto outcome = scan_file(*file, pieces, job.sink, remarks, progress);
      if (!outcome) {
        if (outcome.error().code == ErrorCode::interrupted) return tl::unexpected(outcome.error());
        remarks.loss("unreadable_file", outcome.error().message + "; its episode is left out");
        continue;
      }
      if (outcome->report.end == json::ScanEnd::stopped) {
        return fail(ErrorCode::interrupted, file->name() + ": reading was interrupted");
      }
      if (outcome->report.end == json::ScanEnd::empty) {
        remarks.loss("empty_file", "the file is empty; its episode is left out");
      }
      scan = std::move(*outcome);
    }
    digests.update(scan.sha256);
    log.header().bytes += scan.bytes;
    progress.done_before += scan.bytes;
  }
  compare_with_index(std::move(indexed), job.input, log.remarks(job.input.files[0]));
  log.header().sha256 = digests.hex_digest();
  return log.finish();
}

}  // namespace

bool has_tau2_results(const Fingerprint& print) {
  return !print.has("task_results") &&
         (print.has("simulations", '[') ||
          (print.has("info.environment_info") && print.has("info.agent_info")));
}

const Importer& tau2_results_importer() {
  static const Tau2ResultsImporter importer;
  return importer;
}

const Importer& tau2_folder_importer() {
  static const Tau2FolderImporter importer;
  return importer;
}

}  // namespace unmask
