#include "unmask/ingest/read_log.h"

#include <utility>

#include "unmask/ingest/fingerprint.h"
#include "unmask/ingest/importer.h"
#include "unmask/ingest/known_formats.h"
#include "unmask/ingest/log_file.h"

namespace unmask {

namespace {

bool named_like_a_table(std::string_view name) {
  return name.ends_with(".csv") || name.ends_with(".tsv") || name.ends_with(".csv.gz");
}

/// Keeps everything.
class Collector final : public EpisodeSink {
 public:
  void header(const LogHeader& /*header*/) override {}
  bool episode(Episode episode) override {
    episodes_.push_back(std::move(episode));
    dropped_.push_back(false);
    return true;
  }
  void superseded(std::size_t number) override { dropped_[number] = true; }

  [[nodiscard]] std::vector<Episode> take() {
    std::vector<Episode> kept;
    kept.reserve(episodes_.size());
    for (std::size_t i = 0; i < episodes_.size(); ++i) {
      if (!dropped_[i]) kept.push_back(std::move(episodes_[i]));
    }
    return kept;
  }

 private:
  std::vector<Episode> episodes_;
  std::vector<bool> dropped_;
};

}  // namespace

Result<LogHeader> read_log(const LogInput& input, EpisodeSink& sink, Diagnostics& diagnostics) {
  if (input.files.empty()) {
    return fail(ErrorCode::invalid_argument, input.name + ": no files to read");
  }
  const auto file = LogFile::open(input.files[0]);
  if (!file) return tl::unexpected(file.error());
  return read_log(input, *file, sink, diagnostics);
}

Result<LogHeader> read_log(const LogInput& input, const LogFile& first, EpisodeSink& sink,
                           Diagnostics& diagnostics) {
  const auto beginning = first.first_bytes(Fingerprint::kBytes);
  if (!beginning) return tl::unexpected(beginning.error());
  const Fingerprint print = fingerprint_of(*beginning);
  for (const Importer* importer : importers()) {
    if (importer->recognises(print, input.is_folder)) {
      return importer->read({input, sink, diagnostics, &first, &print});
    }
  }
  if (print.shape == Shape::text && named_like_a_table(first.name())) {
    return fail(ErrorCode::bad_input,
                first.name() +
                    ": is a table (CSV), not a log; give the JSON that the benchmark "
                    "wrote, which has every call of every episode");
  }
  return fail(ErrorCode::bad_input, first.name() + ": " + why_not_read(print));
}

Result<LoadedLog> load_log(const LogInput& input, Diagnostics& diagnostics) {
  Collector collector;
  auto header = read_log(input, collector, diagnostics);
  if (!header) return tl::unexpected(header.error());
  return LoadedLog{std::move(*header), collector.take()};
}

Result<LoadedLog> load_log(const std::string& path, Diagnostics& diagnostics) {
  const auto inputs = find_logs(path);
  if (!inputs) return tl::unexpected(inputs.error());
  if (inputs->size() != 1) {
    return fail(ErrorCode::invalid_argument, path + ": holds " + std::to_string(inputs->size()) +
                                                 " logs where one is expected; name one of them");
  }
  return load_log(inputs->front(), diagnostics);
}

}  // namespace unmask
