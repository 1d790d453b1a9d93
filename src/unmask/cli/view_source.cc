#include "unmask/cli/view_source.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include <stdlib.h>

#include "unmask/audit/findings.h"
#include "unmask/base/error.h"
#include "unmask/cli/study_options.h"
#include "unmask/run/run_export.h"
#include "unmask/run/run_folder.h"

namespace unmask::cli {
namespace {

namespace fs = std::filesystem;

// Name, size and time of last change; of what isn't there, the name alone.
std::string look_of(const fs::path& path) {
  std::error_code none;
  const auto size = fs::file_size(path, none);
  if (none) return path.string() + "\n";
  const auto time = fs::last_write_time(path, none);
  return path.string() + " " + std::to_string(size) + " " +
         std::to_string(time.time_since_epoch().count()) + "\n";
}

// The single argument's folder if it is a run's, or the folder of a run's file.
fs::path run_folder_of(const StudyOptions& options) {
  if (!options.study_file.empty() || options.arms.size() != 1 || !options.null_arms.empty())
    return {};
  fs::path given = options.arms.front();
  std::error_code none;
  if (fs::is_regular_file(run::store_file(given), none)) return given;
  const bool is_store = given.filename() == run::store_file({}).filename();
  if (!is_store || !fs::is_regular_file(given, none)) return {};
  return given.has_parent_path() ? given.parent_path() : fs::path(".");
}

Result<fs::path> scratch_folder() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  std::string path = (parent / "unmask-view-XXXXXX").string();
  if (error || ::mkdtemp(path.data()) == nullptr) {
    return fail(ErrorCode::outside,
                "no folder can be made in " + parent.string() +
                    " for the logs of the run; set TMPDIR to a folder that can be written to");
  }
  return fs::path(path);
}

}  // namespace

Result<ViewSource> ViewSource::open(StudyOptions options) {
  const auto is_standard_input = [](const std::string& arm) {
    return arm == "-" || arm.ends_with("=-");
  };
  if (std::ranges::any_of(options.arms, is_standard_input) ||
      std::ranges::any_of(options.null_arms, is_standard_input)) {
    return fail(ErrorCode::invalid_argument,
                "standard input can't be read again when something changes; give a file");
  }
  ViewSource source(std::move(options));
  source.run_ = run_folder_of(source.options_);
  if (source.run_.empty()) return source;
  source.store_ = run::store_file(source.run_);
  Result<fs::path> scratch = scratch_folder();
  if (!scratch) return tl::unexpected(scratch.error());
  source.scratch_ = std::move(*scratch);
  return source;
}

ViewSource::ViewSource(ViewSource&& other) noexcept
    : options_(std::move(other.options_)),
      run_(std::move(other.run_)),
      store_(std::move(other.store_)),
      scratch_(std::exchange(other.scratch_, {})) {}

ViewSource::~ViewSource() {
  std::error_code ignored;
  if (!scratch_.empty()) fs::remove_all(scratch_, ignored);
}

// A run writes its logs when it ends, after its last word to the store.
bool ViewSource::run_has_ended() const {
  std::error_code none;
  const fs::path log = store_.string() + "-wal";
  if (fs::exists(log, none) && fs::file_size(log, none) > 0) return false;
  const auto stored = fs::last_write_time(store_, none);
  if (none) return false;
  const auto written = fs::last_write_time(run_ / "study.toml", none);
  return !none && written >= stored;
}

std::string ViewSource::state() const {
  if (!run_.empty()) {
    if (run_has_ended()) return look_of(run_ / "study.toml");
    const Result<std::string> ended = run::ended_episodes(store_);
    return ended ? *ended : ended.error().message;
  }
  std::string state;
  for (const std::string& file : input_files(options_)) state += look_of(file);
  return state;
}

Result<AuditedStudy> ViewSource::read(bool quiet) const {
  StudyOptions options = options_;
  options.quiet = options.quiet || quiet;
  if (run_.empty()) return audited_study(options);
  options.arms.clear();
  if (run_has_ended()) {
    options.study_file = (run_ / "study.toml").string();
    return audited_study(options);
  }
  const Result<std::size_t> arms = run::export_store(store_, scratch_);
  if (!arms) return tl::unexpected(arms.error());
  if (*arms == 0) {
    AuditedStudy nothing;
    nothing.findings.settings = options.audit_settings();
    return nothing;
  }
  options.study_file = (scratch_ / "study.toml").string();
  Result<AuditedStudy> audited = audited_study(options);
  if (!audited) return audited;
  // Readers are told where the run will put these logs.
  const std::string scratch = scratch_.string();
  for (InputFindings& input : audited->findings.inputs) {
    if (input.path.starts_with(scratch)) input.path.replace(0, scratch.size(), run_.string());
  }
  return audited;
}

}  // namespace unmask::cli
