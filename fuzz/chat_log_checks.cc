#include "chat_log_checks.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "fuzz_support.h"

#include "unmask/ingest/read_log.h"

namespace unmask::fuzz {

namespace {

/// Keeps everything, transcripts too.
class Keeper final : public EpisodeSink {
 public:
  [[nodiscard]] bool wants_transcripts() const override { return true; }
  void header(const LogHeader& /*header*/) override { ++headers; }
  bool episode(Episode episode) override {
    require(headers == 1);
    episodes.push_back(std::move(episode));
    return true;
  }
  void superseded(std::size_t number) override { require(number < episodes.size()); }

  int headers = 0;
  std::vector<Episode> episodes;
};

void check(const Episode& episode) {
  require(episode.trial.has_value());
  require(!(episode.reward && episode.reward_was_nan));
  require(!episode.reward || std::isfinite(*episode.reward));
  require(episode.history_messages <= episode.messages);
  require(episode.agent_messages <= episode.messages);
  require(episode.transcript.size() == episode.messages);
  for (const ToolCall& call : episode.calls) {
    require(call.answered || call.result.empty());
    require(call.message < episode.messages);
  }
  for (const Message& message : episode.transcript) {
    require(message.first_call + message.call_count <= episode.calls.size());
    if (message.answers) require(episode.calls.at(*message.answers).answered);
  }
  for (const DecisionPoint& point : episode.decisions) {
    require(point.message < episode.messages);
    require(!point.candidates.empty());
    for (const Candidate& candidate : point.candidates) {
      require(!candidate.name.empty());
      require(!std::isnan(candidate.log_probability));
    }
  }
}

}  // namespace

void check_chat_log(const std::uint8_t* data, std::size_t size, std::string_view format) {
  const MemoryFile file({data, size});
  const std::string path = file.path();
  Diagnostics diagnostics;
  Keeper keeper;
  const auto header = read_log({path, {path}, false, false}, keeper, diagnostics);
  if (!header) {
    require(header.error().message.find(path) != std::string::npos);
  } else if (header->format == format) {
    require(keeper.headers == 1);
    require(header->sha256.size() == 64);
    for (const Episode& episode : keeper.episodes) check(episode);
  }
}

}  // namespace unmask::fuzz
