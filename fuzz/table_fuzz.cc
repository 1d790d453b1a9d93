// Whatever bytes a log holds, if it can be read it can be written as a table, as OpenAI chat lines
// and as tau2-bench results, and what is written is read back with the same episodes and calls.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz_support.h"

#include "unmask/convert/log_survey.h"
#include "unmask/convert/log_writer.h"
#include "unmask/ingest/read_log.h"

namespace {

using unmask::fuzz::require;

unmask::Result<unmask::LoadedLog> load(std::string_view bytes) {
  const unmask::fuzz::MemoryFile file(
      {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  unmask::Diagnostics diagnostics;
  return unmask::load_log({file.path(), {file.path()}, false, false}, diagnostics);
}

std::string written(const unmask::LoadedLog& log, unmask::LogFormat format, bool texts) {
  unmask::LogSurvey survey;
  for (const unmask::Episode& episode : log.episodes) survey.see(episode);
  survey.finish(log.header);
  std::string text;
  const auto writer = unmask::log_writer(format, survey, {.texts = texts},
                                         [&text](std::string_view piece) { text += piece; });
  writer->begin();
  for (const unmask::Episode& episode : log.episodes) writer->episode(episode, {});
  writer->end();
  return text;
}

/// Calls that count, of an episode with or without a message history.
std::size_t calls_of(const unmask::Episode& episode, bool failed) {
  return static_cast<std::size_t>(
      std::ranges::count_if(episode.calls, [failed](const unmask::ToolCall& call) {
        return !call.in_history && (!failed || call.failed);
      }));
}

/// Chat lines count a call that can't be read and that nothing answers as failed, whatever the log
/// said.
bool has_open_unreadable_call(const unmask::Episode& episode) {
  return std::ranges::any_of(episode.calls, [](const unmask::ToolCall& call) {
    return !call.answered && (!call.arguments_are_object || call.name.empty());
  });
}

void check(const unmask::LoadedLog& log, unmask::LogFormat format, bool texts) {
  const auto again = load(written(log, format, texts));
  require(again.has_value());
  require(again->episodes.size() == log.episodes.size());
  for (std::size_t i = 0; i < log.episodes.size(); ++i) {
    const unmask::Episode& before = log.episodes[i];
    const unmask::Episode& after = again->episodes[i];
    require(after.task_id == before.task_id);
    require(after.trial == before.trial);
    require(after.reward == before.reward);
    require(after.termination == before.termination);
    require(calls_of(after, false) == calls_of(before, false));
    if (format == unmask::LogFormat::openai && has_open_unreadable_call(before)) continue;
    require(calls_of(after, true) == calls_of(before, true));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  const auto log = load(bytes);
  // Without an episode some formats have nothing that they could be known by.
  if (!log || log->episodes.empty()) return 0;
  check(*log, unmask::LogFormat::table, false);
  check(*log, unmask::LogFormat::table, true);
  check(*log, unmask::LogFormat::openai, true);
  check(*log, unmask::LogFormat::tau2, true);
  return 0;
}
