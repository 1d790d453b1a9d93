#include <string>
#include <string_view>

#include "unmask/ingest/scan_file.h"
#include "unmask/ingest/tau2_importers.h"
#include "unmask/ingest/tau2_log.h"

namespace unmask {

namespace {

using json::Place;
using json::Take;

/// Takes simulations that stand alone: the elements of a list, or one or several objects.
class SimulationPieces final : public json::PieceSink {
 public:
  SimulationPieces(Tau2Log& log, std::string name) : log_(log), name_(std::move(name)) {}

  Take begin(const Place& place, char first, std::uint64_t /*offset*/) override {
    if (place.depth() > 0) return Take::rest;
    return first == '[' ? Take::inside : Take::whole;
  }
  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    const std::string what = place.path.empty() ? "simulation " + std::to_string(place.document + 1)
                                                : "simulation " + to_string(place);
    return log_.add_simulation_text(text, {0, offset, text.size()}, what, name_);
  }

 private:
  Tau2Log& log_;
  std::string name_;
};

Result<LogHeader> read_simulations(ImportJob job, std::string_view format) {
  Tau2Log log(job, format);
  const auto file = first_file(job);
  if (!file) return tl::unexpected(file.error());
  SimulationPieces pieces(log, file->name());
  const auto scan =
      scan_file(*file, pieces, job.sink, log.remarks(file->name()), {0, file->bytes_on_disk()});
  if (!scan) return tl::unexpected(scan.error());
  if (scan->report.end == json::ScanEnd::stopped) {
    return fail(ErrorCode::interrupted, file->name() + ": reading was interrupted");
  }
  log.header().sha256 = scan->sha256;
  log.header().bytes = scan->bytes;
  ++log.header().missing_fields["info"];
  ++log.header().missing_fields["tasks"];
  return log.finish();
}

class Tau2ListImporter final : public Importer {
 public:
  [[nodiscard]] std::string_view format() const override { return "tau2 simulation list"; }
  [[nodiscard]] bool recognises(const Fingerprint& print, bool is_folder) const override {
    return !is_folder && print.shape == Shape::array && has_tau2_simulation(print, "[].");
  }
  Result<LogHeader> read(ImportJob job) const override { return read_simulations(job, format()); }
  [[nodiscard]] Result<Episode> episode(std::string_view text,
                                        const LogHeader& header) const override {
    return reread_tau2_episode(text, header, simulation_members);
  }
};

class Tau2SimulationImporter final : public Importer {
 public:
  [[nodiscard]] std::string_view format() const override { return "tau2 simulation"; }
  [[nodiscard]] bool recognises(const Fingerprint& print, bool is_folder) const override {
    return !is_folder && (print.shape == Shape::object || print.shape == Shape::lines) &&
           has_tau2_simulation(print, "") && !has_tau2_results(print);
  }
  Result<LogHeader> read(ImportJob job) const override { return read_simulations(job, format()); }
  [[nodiscard]] Result<Episode> episode(std::string_view text,
                                        const LogHeader& header) const override {
    return reread_tau2_episode(text, header, simulation_members);
  }
};

}  // namespace

bool has_tau2_simulation(const Fingerprint& print, std::string_view at) {
  const auto has = [&](std::string_view member) {
    return print.has(std::string(at) + std::string(member));
  };
  if (!has("messages") && !has("ticks")) return false;
  // Chat messages in another frame.
  if (has("run_info") || has("tools") || has("schema")) return false;
  return has("reward_info") || (has("termination_reason") && has("task_id") && !has("reward") &&
                                !has("success") && !has("arm"));
}

const Importer& tau2_list_importer() {
  static const Tau2ListImporter importer;
  return importer;
}

const Importer& tau2_simulation_importer() {
  static const Tau2SimulationImporter importer;
  return importer;
}

}  // namespace unmask
