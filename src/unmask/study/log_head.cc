#include "unmask/study/log_head.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/episode_sink.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/log_input.h"
#include "unmask/ingest/read_log.h"

namespace unmask {
namespace {

class HeadSink final : public EpisodeSink {
 public:
  explicit HeadSink(const HeadReading& how) : how_(how) {}

  [[nodiscard]] bool wants_task_texts() const override { return true; }
  [[nodiscard]] bool wants_read_ahead() const override { return how_.read_ahead; }
  void header(const LogHeader& /*header*/) override {}
  bool episode(Episode /*episode*/) override { return true; }
  void superseded(std::size_t number) override { superseded_.insert(number); }
  bool progress(std::uint64_t done, std::uint64_t total) override {
    return !how_.progress || how_.progress(done, total);
  }

  [[nodiscard]] std::set<std::size_t> take_superseded() { return std::move(superseded_); }

 private:
  const HeadReading& how_;
  std::set<std::size_t> superseded_;
};

}  // namespace

Result<LogHead> read_head(const LogInput& input, const LogFile& first, Diagnostics& diagnostics,
                          const HeadReading& how) {
  HeadSink sink(how);
  Result<LogHeader> header = read_log(input, first, sink, diagnostics);
  if (!header) return tl::unexpected(std::move(header.error()));
  return LogHead{std::move(*header), sink.take_superseded()};
}

}  // namespace unmask
