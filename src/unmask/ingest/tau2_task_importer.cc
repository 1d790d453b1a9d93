#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/ingest/scan_file.h"
#include "unmask/ingest/tau2_importers.h"
#include "unmask/ingest/tau2_log.h"

namespace unmask {

namespace {

using json::Place;
using json::Take;
using json::Value;

Tau2Simulation task_file_members(const Value& file) {
  const Value run = file["run_info"];
  Tau2Simulation simulation = simulation_members(file);
  if (simulation.task_id.is_null()) simulation.task_id = file["task"]["id"];
  simulation.id = run["simulation_id"];
  simulation.timestamp = run["timestamp"];
  simulation.termination_reason = run["termination_reason"];
  simulation.duration = run["duration_sec"];
  simulation.agent_cost = run["agent_cost"];
  simulation.user_cost = run["user_cost"];
  if (simulation.trial.is_null()) simulation.trial = run["trial"];
  return simulation;
}

/// Takes the one object of a task file.
class TaskFilePieces final : public json::PieceSink {
 public:
  TaskFilePieces(Tau2Log& log, std::string name, std::uint32_t file_index,
                 std::set<std::string>& tasks)
      : log_(log), name_(std::move(name)), file_index_(file_index), tasks_(tasks) {}

  Take begin(const Place& place, char /*first*/, std::uint64_t /*offset*/) override {
    return place.document == 0 ? Take::whole : Take::skip;
  }

  bool piece(const Place& /*place*/, std::string_view text, std::uint64_t offset) override {
    const Remarks remarks = log_.remarks(name_);
    const auto file = log_.parse(text, offset, "the task file", remarks);
    if (!file) return true;
    if (!file->is_object()) {
      remarks.loss("wrong_type", "the file holds " + std::string(name_of(file->kind())) +
                                     " instead of an object; it is left out");
      return true;
    }
    const Value task = (*file)["task"];
    if (task.is_object()) {
      // A task whose trials have a file each is listed once.
      if (tasks_.emplace(task["id"].text()).second) log_.add_task(task);
    } else {
      ++log_.header().missing_fields["task"];
    }
    return log_.add_simulation(task_file_members(*file), {file_index_, offset, text.size()},
                               "the task file", name_);
  }

 private:
  Tau2Log& log_;
  std::string name_;
  std::uint32_t file_index_;
  std::set<std::string>& tasks_;
};

class Tau2TaskImporter final : public Importer {
 public:
  [[nodiscard]] std::string_view format() const override { return "tau2 task files"; }
  [[nodiscard]] bool recognises(const Fingerprint& print, bool /*is_folder*/) const override {
    return print.shape == Shape::object && print.has("run_info", '{') && print.has("messages");
  }

  Result<LogHeader> read(ImportJob job) const override {
    Tau2Log log(job, format());
    std::set<std::string> tasks;
    JobProgress progress;
    Sha256 digests;
    std::string only_digest;
    for (std::uint32_t index = 0; index < job.input.files.size(); ++index) {
      const std::string& name = job.input.files[index];
      const auto file = LogFile::open(name);
      if (!file && job.input.files.size() == 1) return tl::unexpected(file.error());
      if (!file) {
        log.remarks(name).loss("unreadable_file",
                               file.error().message + "; its episode is left out");
        continue;
      }
      progress.total = progress.done_before + file->bytes_on_disk();
      TaskFilePieces pieces(log, file->name(), index, tasks);
      auto scan = scan_file(*file, pieces, job.sink, log.remarks(file->name()), progress);
      if (!scan) {
        if (scan.error().code == ErrorCode::interrupted) return tl::unexpected(scan.error());
        log.remarks(name).loss("unreadable_file",
                               scan.error().message + "; its episode is left out");
        continue;
      }
      if (scan->report.end == json::ScanEnd::stopped) {
        return fail(ErrorCode::interrupted, name + ": reading was interrupted");
      }
      if (scan->report.end == json::ScanEnd::empty) {
        log.remarks(name).loss("empty_file", "the file is empty; its episode is left out");
      }
      digests.update(scan->sha256);
      only_digest = std::move(scan->sha256);
      log.header().bytes += scan->bytes;
      progress.done_before += scan->bytes;
    }
    log.header().sha256 = job.input.is_folder ? digests.hex_digest() : std::move(only_digest);
    ++log.header().missing_fields["info"];
    return log.finish();
  }
  [[nodiscard]] Result<Episode> episode(std::string_view text,
                                        const LogHeader& header) const override {
    return reread_tau2_episode(text, header, task_file_members);
  }
};

}  // namespace

const Importer& tau2_task_importer() {
  static const Tau2TaskImporter importer;
  return importer;
}

}  // namespace unmask
