#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/episode_sink.h"
#include "unmask/ingest/fingerprint.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/log_input.h"

namespace unmask {

/// What an importer gets to work with.
struct ImportJob {
  const LogInput& input;
  EpisodeSink& sink;
  Diagnostics& diagnostics;
  /// The first file, open already: a pipe can't be opened twice. Null: not open yet.
  const LogFile* first = nullptr;
  /// What the first file looks like, by which the importer was chosen. Null: it was chosen
  /// otherwise.
  const Fingerprint* fingerprint = nullptr;
};

/// The job's first file.
[[nodiscard]] inline Result<LogFile> first_file(const ImportJob& job) {
  if (job.first != nullptr) return *job.first;
  return LogFile::open(job.input.files.at(0));
}

/// Reads one format. Importers hold no state; one serves any number of jobs at once.
class Importer {
 public:
  virtual ~Importer() = default;
  /// Name in LogHeader::format: `tau2 results`.
  [[nodiscard]] virtual std::string_view format() const = 0;
  /// The content of a single file, or of a folder's first file, is this importer's. At most one
  /// importer says so of any file: order must not matter.
  [[nodiscard]] virtual bool recognises(const Fingerprint& fingerprint, bool is_folder) const = 0;
  /// Hands the log's header and episodes to the sink. One bad episode never loses the others.
  /// Errors: bad_input or outside where nothing could be used, interrupted if the sink stopped.
  virtual Result<LogHeader> read(ImportJob job) const = 0;
  /// Reads one episode again, with its transcript: `text` is what the EpisodeRef of an episode of
  /// this importer points at, `header` what `read` returned. `trial` is as in the text, so absent
  /// where `read` numbered it; `ref` is left to the caller. What `read` has remarked on is not
  /// remarked on again. Errors: bad_input for a text that holds no episode, without a file's name;
  /// invalid_argument from an importer whose episodes are not read again.
  [[nodiscard]] virtual Result<Episode> episode(std::string_view text,
                                                const LogHeader& header) const;
};

/// Every importer of the program.
[[nodiscard]] std::span<const Importer* const> importers();
/// The importer whose `format()` is `format`; null if there is none.
[[nodiscard]] const Importer* importer_of(std::string_view format);

}  // namespace unmask
