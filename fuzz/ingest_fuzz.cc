// Whatever bytes a file holds, reading it ends with a log or with an error that says why, and the
// log is consistent.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <source_location>
#include <string>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "unmask/ingest/read_log.h"

namespace {

void require(bool condition, std::source_location at = std::source_location::current()) {
  if (condition) return;
  std::fprintf(stderr, "line %u does not hold\n", static_cast<unsigned>(at.line()));
  std::abort();
}

void check(const unmask::LoadedLog& log) {
  require(!log.header.format.empty());
  require(log.header.sha256.size() == 64);
  std::set<std::pair<std::string, int>> seen;
  for (const unmask::Episode& episode : log.episodes) {
    require(episode.trial.has_value());
    require(seen.emplace(episode.task_id, *episode.trial).second);
    require(!(episode.reward && episode.reward_was_nan));
    require(!episode.reward || *episode.reward == *episode.reward);
    require(episode.history_messages <= episode.messages);
    require(episode.ref.length > 0);
    for (const unmask::ToolCall& call : episode.calls) {
      require(call.answered || call.result.empty());
      require(call.message < episode.messages);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int file = memfd_create("log", MFD_CLOEXEC);
  require(file >= 0);
  require(write(file, data, size) == static_cast<ssize_t>(size));
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  unmask::Diagnostics diagnostics;
  const auto log = unmask::load_log({path, {path}, false, false}, diagnostics);
  if (log) {
    check(*log);
  } else {
    require(log.error().message.find(path) != std::string::npos);
    require(log.error().message.size() > path.size() + 5);
  }
  close(file);
  return 0;
}
