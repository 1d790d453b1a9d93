#include "unmask/ingest/tau2_log.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/scan_file.h"
#include "unmask/ingest/tau2_header.h"
#include "unmask/ingest/tau2_task.h"

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
          .loss("too_large", report.place + " is " + report.message +
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

Result<Episode> reread_tau2_episode(std::string_view text, const LogHeader& header,
                                    Tau2Simulation (*members)(const json::Value& object)) {
  json::Parser parser;
  const auto parsed = parser.parse(text);
  if (!parsed) return tl::unexpected(parsed.error());
  Tau2Histories histories;
  for (const TaskDefinition& task : header.tasks) {
    if (task.history_messages > 0) histories[task.id] = task.history_messages;
  }
  Tau2Traces traces;
  Diagnostics said_before;
  auto episode = read_tau2_simulation(members(parsed->root), histories, traces,
                                      Remarks(said_before, header.file), true);
  if (!episode) return fail(ErrorCode::bad_input, "the text holds no episode");
  return std::move(*episode);
}

Tau2Log::Tau2Log(ImportJob job, std::string_view format)
    : job_(job),
      intake_(job.sink, Remarks(job.diagnostics, job.input.name)),
      transcripts_(job.sink.wants_transcripts()) {
  header_.file = job.input.name;
  header_.format = format;
  header_.files = job.input.files;
}

std::optional<json::Value> Tau2Log::parse(std::string_view text, std::uint64_t offset,
                                          const std::string& what, const Remarks& remarks) {
  const auto parsed = parser_.parse(text, offset);
  if (!parsed) {
    remarks.about(what, offset)
        .loss("unreadable_json", what + " can't be read: " + parsed.error().message +
                                     "; it is left out (the rest is used)");
    return std::nullopt;
  }
  if (parsed->repairs.total() > 0) {
    remarks.about(what, offset + parsed->repairs.first_offset)
        .info("repaired_json",
              what + " is not sound JSON and was repaired: " + to_string(parsed->repairs) +
                  ", the first at byte " + std::to_string(offset + parsed->repairs.first_offset));
  }
  return parsed->root;
}

void Tau2Log::report_duplicate_keys(const Remarks& remarks) const {
  for (const std::string& key : parser_.duplicate_keys()) {
    remarks.loss("duplicate_key",
                 "the key '" + key + "' stands twice in one object; the last value is used");
  }
}

void Tau2Log::add_task(const json::Value& task) {
  TaskDefinition definition = read_tau2_task(task);
  if (definition.history_messages > 0) histories_[definition.id] = definition.history_messages;
  if (header_.domain.empty()) header_.domain = domain_of_tau2_task(task);
  header_.tasks.push_back(std::move(definition));
}

bool Tau2Log::add_simulation(const Tau2Simulation& simulation, EpisodeRef ref,
                             const std::string& place, const std::string& file) {
  send_header();
  Episode probe;
  probe.id = simulation.id.text();
  probe.task_id = simulation.task_id.text();
  if (const auto trial = simulation.trial.integer(); trial && *trial >= 0 && *trial < 1'000'000) {
    probe.trial = static_cast<int>(*trial);
  }
  const Remarks about = remarks(file).about(place + ", " + episode_label(probe), ref.offset);
  auto episode = read_tau2_simulation(simulation, histories_, traces_, about, transcripts_);
  report_duplicate_keys(about);
  if (!episode) return true;
  episode->ref = ref;
  return intake_.take(std::move(*episode));
}

bool Tau2Log::add_simulation_text(std::string_view text, EpisodeRef ref, const std::string& place,
                                  const std::string& file) {
  const auto simulation = parse(text, ref.offset, place, remarks(file));
  if (!simulation) return true;
  if (!simulation->is_object()) {
    remarks(file)
        .about(place, ref.offset)
        .loss("wrong_type", place + " is " + std::string(name_of(simulation->kind())) +
                                " instead of an object; it is left out");
    return true;
  }
  note_simulation_members(*simulation, traces_);
  return add_simulation(simulation_members(*simulation), ref, place, file);
}

void Tau2Log::send_header() {
  if (std::exchange(header_sent_, true)) return;
  apply(conversion_, header_);
  job_.sink.header(header_);
}

LogHeader Tau2Log::finish() {
  send_header();
  for (const auto& [field, count] : traces_.missing_fields) header_.missing_fields[field] += count;
  if (header_.timestamp.empty()) header_.timestamp = traces_.first_timestamp;
  if (!conversion_.present) header_.harness = infer_tau2_harness(header_, traces_);
  if (traces_.with_ticks_only > 0 && traces_.with_ticks_only == traces_.simulations &&
      traces_.calls == 0) {
    header_.inspect_only =
        "voice simulations whose ticks hold no tool calls: there is nothing to count";
  }
  if (intake_.taken() == 0) {
    remarks(header_.file).info("no_episodes", "the log holds no episode that can be used");
  }
  return std::move(header_);
}

}  // namespace unmask
