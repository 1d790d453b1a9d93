#include "unmask/decisions/decision_log.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <utility>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/episode_sink.h"
#include "unmask/ingest/log_input.h"
#include "unmask/ingest/read_log.h"

namespace unmask::decisions {
namespace {

class Collecting final : public EpisodeSink {
 public:
  Collecting(DecisionLog& log, const std::function<bool(std::uint64_t, std::uint64_t)>& goes_on)
      : log_(log), goes_on_(goes_on) {}

  [[nodiscard]] bool wants_transcripts() const override { return true; }
  void header(const LogHeader& /*header*/) override {}
  bool episode(Episode episode) override {
    log_.episodes.push_back(std::move(episode));
    return true;
  }
  void superseded(std::size_t number) override { superseded_.insert(number); }
  bool progress(std::uint64_t done, std::uint64_t total) override { return goes_on_(done, total); }

  void drop_superseded() {
    std::size_t number = 0;
    std::erase_if(log_.episodes, [&](const Episode&) { return superseded_.contains(number++); });
  }

 private:
  DecisionLog& log_;
  const std::function<bool(std::uint64_t, std::uint64_t)>& goes_on_;
  std::set<std::size_t> superseded_;
};

}  // namespace

Result<DecisionLog> read_decision_log(
    const LogInput& input, const std::function<bool(std::uint64_t, std::uint64_t)>& goes_on,
    Diagnostics& diagnostics) {
  DecisionLog log;
  Collecting sink(log, goes_on);
  Result<LogHeader> header = read_log(input, sink, diagnostics);
  if (!header) return tl::unexpected(header.error());
  log.header = std::move(*header);
  sink.drop_superseded();
  const auto is_first_call = [](const Episode& episode) { return episode.first_call.has_value(); };
  if (!log.episodes.empty() && std::ranges::all_of(log.episodes, is_first_call)) {
    return fail(ErrorCode::bad_input,
                input.name +
                    ": is a log of first calls, which does not hold what they were answers to; "
                    "give a log of whole episodes");
  }
  const auto is_bare = [](const Episode& episode) { return episode.transcript.empty(); };
  if (std::ranges::all_of(log.episodes, is_bare)) {
    return fail(
        ErrorCode::bad_input,
        input.name + ": does not hold the texts of messages, which decisions are asked with");
  }
  return log;
}

}  // namespace unmask::decisions
