// A file as a user may give it: sniffed, imported, diagnosed, and described by `inspect`.

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz_support.h"

#include "unmask/base/diagnostics.h"
#include "unmask/ingest/log_input.h"
#include "unmask/inspect/inspect_report.h"
#include "unmask/study/log_facts.h"

namespace {

using unmask::fuzz::require;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const unmask::fuzz::MemoryFile file({data, size});
  const unmask::LogInput input = {.name = "fuzz.json", .files = {file.path()}};
  unmask::Diagnostics diagnostics;
  const auto log = unmask::read_log_facts(input, {}, diagnostics);
  if (!log) {
    require(!log.error().message.empty());
    return 0;
  }
  for (const unmask::EpisodeFacts& episode : log->facts.episodes) {
    require(episode.task < log->facts.tasks.size());
    require(episode.reward == episode.reward);
    for (const unmask::CallFacts& call : episode.calls) {
      require(call.name < log->facts.names.size());
      require(call.kind < log->facts.kinds.size());
    }
  }
  const unmask::InspectReport report = unmask::inspect(log->header, log->facts, diagnostics);
  require(report.trials.recorded == log->facts.episodes.size());
  return 0;
}
