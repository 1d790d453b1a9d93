#include "unmask/ingest/folder_log.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace unmask {

namespace fs = std::filesystem;

namespace {

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// `name` without `.gz` or `.zst`.
std::string unpacked_name(std::string name) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.resize(name.size() - packed.size());
  }
  return name;
}

/// Files of `folder` whose unpacked name begins and ends so, in name order.
std::vector<std::string> files_named(const fs::path& folder, std::string_view begin,
                                     std::string_view end) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), stop; !error && at != stop; at.increment(error)) {
    const std::string name = unpacked_name(at->path().filename().string());
    std::error_code ignored;
    if (name.starts_with(begin) && name.ends_with(end) && !name.starts_with('.') &&
        !fs::is_directory(at->path(), ignored)) {
      files.push_back(at->path().string());
    }
  }
  std::sort(files.begin(), files.end(), in_name_order);
  return files;
}

/// The file `name` of `folder`, plain or packed; empty if there is none.
std::string file_named(const fs::path& folder, std::string_view name) {
  for (const std::string_view packed : {"", ".gz", ".zst"}) {
    const fs::path path = folder / (std::string(name) + std::string(packed));
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path.string();
  }
  return {};
}

std::optional<LogInput> results_folder(const std::string& name, const std::string& head) {
  const fs::path simulations = fs::path(head).parent_path() / "simulations";
  std::error_code error;
  if (!fs::is_directory(simulations, error)) return std::nullopt;
  LogInput log{name, {head}, true, false};
  std::vector<std::string> files = files_named(simulations, "", ".json");
  log.files.insert(log.files.end(), std::make_move_iterator(files.begin()),
                   std::make_move_iterator(files.end()));
  return log;
}

}  // namespace

std::optional<LogInput> folder_log(const std::string& folder) {
  if (const std::string head = file_named(folder, "results.json"); !head.empty()) {
    if (auto log = results_folder(folder, head)) return log;
  }
  if (!file_named(folder, "index.json").empty()) {
    std::vector<std::string> tasks = files_named(folder, "task_", ".json");
    if (!tasks.empty()) return LogInput{folder, std::move(tasks), true, false};
  }
  return std::nullopt;
}

std::optional<LogInput> folder_log_of_head(const std::string& results_file) {
  return results_folder(results_file, results_file);
}

bool in_name_order(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      while (i < a.size() && a[i] == '0') ++i;
      while (j < b.size() && b[j] == '0') ++j;
      std::size_t end_a = i;
      std::size_t end_b = j;
      while (end_a < a.size() && is_digit(a[end_a])) ++end_a;
      while (end_b < b.size() && is_digit(b[end_b])) ++end_b;
      if (end_a - i != end_b - j) return end_a - i < end_b - j;
      const int order = a.substr(i, end_a - i).compare(b.substr(j, end_b - j));
      if (order != 0) return order < 0;
      i = end_a;
      j = end_b;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (i == a.size() && j == b.size()) return a < b;  // equal but for leading zeros
  return i == a.size();
}

}  // namespace unmask
