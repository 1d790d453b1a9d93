#include <string>
#include <string_view>

#include "unmask/ingest/scan_file.h"
#include "unmask/ingest/tau2_importers.h"
#include "unmask/ingest/tau2_log.h"

namespace unmask {

namespace {

using json::Place;
using json::Take;

/// Counts tool executions; they carry no episode.
class EventPieces final : public json::PieceSink {
 public:
  EventPieces(Tau2Log& log, const Remarks& remarks) : log_(log), remarks_(remarks) {}

  Take begin(const Place& place, char first, std::uint64_t /*offset*/) override {
    if (place.document > 0) return Take::skip;
    if (place.depth() == 0) return Take::inside;
    const std::string& key = place.path[0].key;
    if (key == "timestamp") return Take::whole;
    if (key != "execution_events") return Take::skip;
    return place.depth() == 1 && first == '[' ? Take::inside : Take::rest;
  }
  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    const auto value = log_.parse(text, offset, to_string(place), remarks_);
    if (!value) return true;
    if (place.depth() == 1) {
      log_.header().timestamp = value->text();
    } else if ((*value)["event_type"].text() == "ToolExecutionEvent") {
      ++executions;
      if ((*value)["success"].boolean() == false) ++failed;
    }
    return true;
  }

  std::size_t executions = 0;
  std::size_t failed = 0;

 private:
  Tau2Log& log_;
  const Remarks& remarks_;
};

class Tau2EnhancedLogImporter final : public Importer {
 public:
  [[nodiscard]] std::string_view format() const override { return "tau2 enhanced log"; }
  [[nodiscard]] bool recognises(const Fingerprint& print, bool is_folder) const override {
    return !is_folder && print.shape == Shape::object && print.has("execution_events", '[');
  }

  Result<LogHeader> read(ImportJob job) const override {
    Tau2Log log(job, format());
    const auto file = first_file(job);
    if (!file) return tl::unexpected(file.error());
    const Remarks remarks = log.remarks(file->name());
    EventPieces events(log, remarks);
    const auto scan = scan_file(*file, events, job.sink, remarks, {0, file->bytes_on_disk()});
    if (!scan) return tl::unexpected(scan.error());
    log.header().sha256 = scan->sha256;
    log.header().bytes = scan->bytes;
    LogHeader header = log.finish();
    header.inspect_only = std::to_string(events.executions) + " tool executions, " +
                          std::to_string(events.failed) +
                          " failed, without episode ids and with the evaluation's replays among "
                          "them: use the results file of the same run";
    return header;
  }
};

}  // namespace

const Importer& tau2_enhanced_log_importer() {
  static const Tau2EnhancedLogImporter importer;
  return importer;
}

}  // namespace unmask
