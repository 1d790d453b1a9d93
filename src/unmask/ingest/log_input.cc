#include "unmask/ingest/log_input.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <glob.h>

#include "unmask/ingest/folder_log.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/missing_path.h"

namespace unmask {

namespace fs = std::filesystem;

namespace {

/// Sub-folders deeper than this are not searched (a link may lead in circles).
constexpr int kDeepestFolder = 16;

constexpr std::array<std::string_view, 2> kPackedEndings = {".gz", ".zst"};
constexpr std::array<std::string_view, 5> kLogEndings = {".json", ".jsonl", ".ndjson", ".eval",
                                                         ".traj"};

/// Takes the first of `endings` that fits off `name`, unless nothing else is left.
bool take_off(std::string& name, std::span<const std::string_view> endings) {
  for (const std::string_view ending : endings) {
    if (name.size() <= ending.size() || !name.ends_with(ending)) continue;
    name.resize(name.size() - ending.size());
    return true;
  }
  return false;
}

Result<std::vector<fs::path>> entries_of(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    entries.push_back(at->path());
  }
  if (error) {
    return fail(
        ErrorCode::outside,
        folder.string() + ": the folder can't be read: " + error.message() +
            (error == std::errc::permission_denied ? "; ask for read permission (chmod +rx)" : ""));
  }
  std::sort(entries.begin(), entries.end(), [](const fs::path& a, const fs::path& b) {
    return in_name_order(a.string(), b.string());
  });
  return entries;
}

/// Appends the logs of a folder.
Result<bool> search(const fs::path& folder, bool found, int depth, std::vector<LogInput>& logs) {
  if (auto log = folder_log(folder.string())) {
    log->found = found;
    logs.push_back(std::move(*log));
    return true;
  }
  const auto entries = entries_of(folder);
  if (!entries) return tl::unexpected(entries.error());
  for (const fs::path& entry : *entries) {
    std::error_code error;
    if (fs::is_directory(entry, error)) {
      if (depth >= kDeepestFolder || entry.filename().string().starts_with('.')) continue;
      if (const auto done = search(entry, true, depth + 1, logs); !done) return done;
    } else if (named_like_a_log(entry.string())) {
      logs.push_back({entry.string(), {entry.string()}, false, true});
    }
  }
  return true;
}

bool has_wildcard(std::string_view pattern) {
  return pattern.find_first_of("*?[") != std::string_view::npos;
}

std::vector<std::string> glob_matches(const std::string& pattern) {
  glob_t matches{};
  std::vector<std::string> paths;
  if (::glob(pattern.c_str(), GLOB_TILDE | GLOB_BRACE, nullptr, &matches) == 0) {
    for (std::size_t i = 0; i < matches.gl_pathc; ++i) paths.emplace_back(matches.gl_pathv[i]);
  }
  ::globfree(&matches);
  std::sort(paths.begin(), paths.end(), in_name_order);
  return paths;
}

// The part before the first wildcard may be wrong already; else the folder tells what it holds.
std::string unmatched_hint(const std::string& pattern) {
  const std::size_t wildcard = pattern.find_first_of("*?[{");
  const std::size_t slash = pattern.rfind('/', wildcard);
  return missing_path_hint(slash == std::string::npos
                               ? pattern
                               : pattern.substr(0, slash + 1) + pattern.substr(wildcard));
}

Result<bool> add_path(const std::string& path, std::vector<LogInput>& logs) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    logs.push_back({path, {path}, false, false});
    return true;
  }
  const std::size_t before = logs.size();
  if (const auto done = search(path, false, 0, logs); !done) return done;
  if (logs.size() == before) {
    return fail(ErrorCode::bad_input,
                path +
                    ": the folder holds no log (no file named .json, .jsonl, .eval or .traj, plain "
                    "or packed); name the files");
  }
  return true;
}

}  // namespace

Result<std::vector<LogInput>> find_logs(std::span<const std::string> patterns) {
  if (const Result<void> once = standard_input_once(patterns); !once) {
    return tl::unexpected(once.error());
  }
  std::vector<LogInput> logs;
  for (const std::string& pattern : patterns) {
    std::error_code error;
    // A path that exists is meant as it stands: file names hold brackets.
    if (pattern == kStandardInput || fs::exists(pattern, error) || !has_wildcard(pattern)) {
      if (const auto done = add_path(pattern, logs); !done) return tl::unexpected(done.error());
      continue;
    }
    const std::vector<std::string> paths = glob_matches(pattern);
    if (paths.empty()) {
      return fail(ErrorCode::bad_input, pattern + ": no file matches" + unmatched_hint(pattern));
    }
    for (const std::string& path : paths) {
      if (const auto done = add_path(path, logs); !done) return tl::unexpected(done.error());
    }
  }
  return logs;
}

Result<std::vector<LogInput>> find_logs(const std::string& pattern) {
  return find_logs(std::span<const std::string>(&pattern, 1));
}

Result<void> standard_input_once(std::span<const std::string> patterns) {
  if (std::ranges::count(patterns, kStandardInput) <= 1) return {};
  return fail(ErrorCode::invalid_argument,
              "standard input (-) is given twice, and can be read only once; give one of the logs "
              "as a file");
}

std::string_view without_file_name(std::string_view message, std::string_view file) {
  const std::size_t end = file.size() + 2;
  const bool named = message.size() > end && message.starts_with(file) &&
                     message.substr(file.size()).starts_with(": ");
  return named ? message.substr(end) : message;
}

bool pass_over(const LogInput& input, const Error& error, Diagnostics& diagnostics) {
  if (!input.found || error.code != ErrorCode::bad_input) return false;
  diagnostics.add({.code = "not_a_log",
                   .severity = Severity::info,
                   .file = input.name,
                   .episode = {},
                   .sentence = std::string(without_file_name(error.message, input.name)),
                   .offset = {}});
  return true;
}

bool named_like_a_log(std::string_view path) {
  std::string name = fs::path(path).filename().string();
  if (name.empty() || name[0] == '.') return false;
  take_off(name, kPackedEndings);
  return take_off(name, kLogEndings);
}

std::string stem_of_log(std::string_view name) {
  if (name == kStandardInput) return "standard-input";
  const fs::path path = fs::path(name).lexically_normal();
  std::string stem = (path.has_filename() ? path : path.parent_path()).filename().string();
  take_off(stem, kPackedEndings);
  take_off(stem, kLogEndings);
  return stem.empty() || stem == "." || stem == ".." ? "log" : stem;
}

}  // namespace unmask
