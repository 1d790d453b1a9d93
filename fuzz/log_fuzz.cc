// A file as a user may give it: sniffed, imported, diagnosed, and described by `inspect`.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "unmask/base/diagnostics.h"
#include "unmask/budget/budget_regime.h"
#include "unmask/ingest/log_input.h"
#include "unmask/inspect/inspect_report.h"
#include "unmask/study/log_facts.h"

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

/// A file in memory, with a path.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : descriptor_(memfd_create("log", 0)) {
    require(descriptor_ >= 0, "memfd_create");
    require(write(descriptor_, data, size) == static_cast<ssize_t>(size), "write");
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file(data, size);
  const unmask::LogInput input = {.name = "fuzz.json", .files = {file.path()}};
  unmask::Diagnostics diagnostics;
  const auto log = unmask::read_log_facts(input, {}, diagnostics);
  if (!log) {
    require(!log.error().message.empty(), "an error without a message");
    return 0;
  }
  for (const unmask::EpisodeFacts& episode : log->facts.episodes) {
    require(episode.task < log->facts.tasks.size(), "an episode of no task");
    require(episode.reward == episode.reward, "a reward that is NaN");
    for (const unmask::CallFacts& call : episode.calls) {
      require(call.name < log->facts.names.size(), "a call without a name");
      require(call.kind < log->facts.kinds.size(), "a call of no kind");
    }
  }
  const unmask::InspectReport report = unmask::inspect(log->header, log->facts, diagnostics);
  require(report.trials.recorded == log->facts.episodes.size(), "inspect lost episodes");
  return 0;
}
