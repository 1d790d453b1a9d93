#include "unmask/ingest/missing_path.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/base/near_names.h"

namespace unmask {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostLooked = 10000;  // names of a folder; a larger one is looked at in part
constexpr std::size_t kMostShown = 3;

std::vector<std::string> names_in(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end;
       !error && at != end && names.size() < kMostLooked; at.increment(error)) {
    std::string name = at->path().filename().string();
    if (!name.starts_with('.')) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return path.empty() || fs::is_directory(path, error);
}

}  // namespace

std::string missing_path_hint(const std::string& path) {
  if (path.starts_with("~")) return "; the shell did not replace ~ here: write $HOME instead";
  fs::path missing = fs::path(path).lexically_normal();
  if (!missing.has_filename()) missing = missing.parent_path();
  const fs::path whole_path = missing;
  bool is_last = true;
  while (missing.has_parent_path() && missing != missing.parent_path() &&
         !is_folder(missing.parent_path())) {
    missing = missing.parent_path();
    is_last = false;
  }
  const fs::path folder = missing.parent_path();
  const std::vector<std::string> names = names_in(folder);
  std::error_code error;
  if (!is_last && fs::exists(missing, error)) {
    return "; " + missing.string() + " is a file, not a folder";
  }
  std::string hint;
  for (const std::string& name : near_names(missing.filename().string(), names, kMostShown)) {
    // With a folder's name put right, the rest of the path may lead somewhere.
    const fs::path whole = folder / name / whole_path.lexically_relative(missing);
    hint += (hint.empty() ? "; did you mean " : " or ") +
            (!is_last && fs::exists(whole, error) ? whole : folder / name).string();
  }
  if (!hint.empty()) return hint + "?";
  if (!is_last) return "; " + missing.string() + ": there is no such folder";
  if (names.empty()) {
    return folder.empty() ? "; check the path" : "; the folder " + folder.string() + " is empty";
  }
  hint = folder.empty() ? "; this folder holds " : "; the folder " + folder.string() + " holds ";
  for (std::size_t i = 0; i < std::min(names.size(), kMostShown); ++i) {
    hint += (i == 0 ? "" : ", ") + names[i];
  }
  return hint + (names.size() > kMostShown ? " ..." : "");
}

}  // namespace unmask
