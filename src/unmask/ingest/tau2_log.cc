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
#include "unmask/ingest/message_choices.h"
#include "unmask/ingest/tau2_header.h"
#include "unmask/ingest/tau2_task.h"
#include "unmask/json/write.h"

namespace unmask {

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
      transcripts_(job.sink.wants_transcripts()),
      task_texts_(job.sink.wants_task_texts()) {
  header_.file = job.input.name;
  header_.format = format;
  header_.files = job.input.files;
}

void Tau2Log::add_task(const json::Value& task) {
  TaskDefinition definition = read_tau2_task(task);
  if (definition.history_messages > 0) histories_[definition.id] = definition.history_messages;
  if (header_.domain.empty()) header_.domain = domain_of_tau2_task(task);
  if (task_texts_) definition.text = json::to_json(task);
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
  // Only who wants texts looks at choices; the responses that hold them are long.
  if (transcripts_) {
    add_message_choices(simulation.messages, offered_names(header_.tools), *episode);
  }
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
