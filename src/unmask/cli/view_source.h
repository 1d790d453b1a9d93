#pragma once

#include <filesystem>
#include <string>

#include "unmask/base/error.h"
#include "unmask/cli/study_options.h"

namespace unmask::cli {

/// What `unmask view` shows: logs or a study of them, or a run, also while it is going on. Both may
/// be read again and again.
class ViewSource {
 public:
  /// A single argument that is a run's folder or file makes it a run. Errors: invalid_argument for
  /// standard input; outside where a run's logs have no place to be written to.
  [[nodiscard]] static Result<ViewSource> open(StudyOptions options);
  ~ViewSource();
  ViewSource(ViewSource&& other) noexcept;
  ViewSource& operator=(ViewSource&&) = delete;
  ViewSource(const ViewSource&) = delete;
  ViewSource& operator=(const ViewSource&) = delete;

  /// A text that is another one once what is shown has changed: sizes and times of files, or the
  /// episodes of a run that have ended. Never fails: what can't be looked at is part of it.
  [[nodiscard]] std::string state() const;

  /// Reads and audits it. A run of which no episode has ended has no cells. `quiet`: no progress,
  /// no hints. Errors: those of audited_study and of reading a run.
  [[nodiscard]] Result<AuditedStudy> read(bool quiet) const;

 private:
  explicit ViewSource(StudyOptions options) : options_(std::move(options)) {}
  [[nodiscard]] bool run_has_ended() const;

  StudyOptions options_;
  std::filesystem::path run_;      ///< the run's folder; empty: logs
  std::filesystem::path store_;    ///< its file
  std::filesystem::path scratch_;  ///< where its logs are written to meanwhile; removed at the end
};

}  // namespace unmask::cli
