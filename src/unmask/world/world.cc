#include "unmask/world/world.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/environment.h"
#include "unmask/world/gunzip.h"
#include "unmask/world/task.h"

namespace unmask::world {

World::World(std::shared_ptr<const EnvironmentSetup> setup, std::vector<Task> tasks,
             std::vector<Split> splits)
    : setup_(std::move(setup)), tasks_(std::move(tasks)), splits_(std::move(splits)) {}

const Task* World::find_task(std::string_view id) const {
  for (const Task& task : tasks_) {
    if (task.id == id) return &task;
  }
  return nullptr;
}

Result<std::vector<const Task*>> World::split(std::string_view name) const {
  std::string known;
  for (const Split& split : splits_) {
    if (split.name != name) {
      known += known.empty() ? "" : ", ";
      known += split.name;
      continue;
    }
    const std::set<std::string_view> chosen(split.task_ids.begin(), split.task_ids.end());
    std::vector<const Task*> tasks;
    for (const Task& task : tasks_) {
      if (chosen.contains(task.id)) tasks.push_back(&task);
    }
    return tasks;
  }
  return fail(ErrorCode::invalid_argument,
              "no split `" + std::string(name) + "`" +
                  (known.empty() ? std::string(": this world has none") : "; there are " + known));
}

Result<std::string> read_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string bytes;
  if (stream) bytes.assign(std::istreambuf_iterator<char>(stream), {});
  if (!stream) {
    return fail(ErrorCode::outside,
                file.string() + " can't be read: " + std::generic_category().message(errno));
  }
  if (file.extension() == ".gz") return gunzip(bytes, file.string());
  return bytes;
}

Result<TaskFiles> read_task_files(const std::filesystem::path& folder) {
  TaskFiles files;
  std::error_code ignored;
  std::filesystem::path tasks_file = folder / "tasks.json";
  if (!std::filesystem::exists(tasks_file, ignored)) tasks_file = folder / "tasks.json.gz";
  if (std::filesystem::exists(tasks_file, ignored)) {
    const Result<std::string> text = read_file(tasks_file);
    if (!text) return tl::unexpected<Error>(text.error());
    Result<std::vector<Task>> tasks = read_tasks(*text, tasks_file.string());
    if (!tasks) return tl::unexpected<Error>(tasks.error());
    files.tasks = std::move(*tasks);
  }
  const std::filesystem::path splits_file = folder / "split_tasks.json";
  if (std::filesystem::exists(splits_file, ignored)) {
    const Result<std::string> text = read_file(splits_file);
    if (!text) return tl::unexpected<Error>(text.error());
    Result<std::vector<Split>> splits = read_splits(*text, splits_file.string());
    if (!splits) return tl::unexpected<Error>(splits.error());
    files.splits = std::move(*splits);
  }
  return files;
}

}  // namespace unmask::world
