// Whatever bytes a file holds, reading it ends with a log or with an error that says why, and the
// log is consistent.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz_support.h"

#include "unmask/ingest/fingerprint.h"
#include "unmask/ingest/importer.h"
#include "unmask/ingest/read_log.h"

namespace {

using unmask::fuzz::require;

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

/// At most one importer takes a file, so that their order does not matter.
void check_importers(std::string_view bytes) {
  const unmask::Fingerprint print =
      unmask::fingerprint_of(bytes.substr(0, unmask::Fingerprint::kBytes));
  for (const bool is_folder : {false, true}) {
    require(std::ranges::count_if(unmask::importers(), [&](const unmask::Importer* importer) {
              return importer->recognises(print, is_folder);
            }) <= 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_importers(std::string_view(reinterpret_cast<const char*>(data), size));
  const unmask::fuzz::MemoryFile file({data, size});
  const std::string path = file.path();
  unmask::Diagnostics diagnostics;
  const auto log = unmask::load_log({path, {path}, false, false}, diagnostics);
  if (log) {
    check(*log);
  } else {
    require(log.error().message.find(path) != std::string::npos);
    require(log.error().message.size() > path.size() + 5);
  }
  return 0;
}
