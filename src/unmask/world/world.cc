#include "unmask/world/world.h"

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/data_files.h"
#include "unmask/world/environment.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

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

Result<TaskFiles> read_task_files(const DataFiles& files) {
  const std::string_view tasks_file = files.has("tasks.json") ? "tasks.json" : "tasks.json.gz";
  constexpr std::string_view kSplits = "split_tasks.json";
  TaskFiles read;
  if (files.has(tasks_file)) {
    const Result<std::string> text = files.read(tasks_file);
    if (!text) return tl::unexpected<Error>(text.error());
    Result<std::vector<Task>> tasks = read_tasks(*text, files.place_of(tasks_file));
    if (!tasks) return tl::unexpected<Error>(tasks.error());
    read.tasks = std::move(*tasks);
  }
  if (files.has(kSplits)) {
    const Result<std::string> text = files.read(kSplits);
    if (!text) return tl::unexpected<Error>(text.error());
    Result<std::vector<Split>> splits = read_splits(*text, files.place_of(kSplits));
    if (!splits) return tl::unexpected<Error>(splits.error());
    read.splits = std::move(*splits);
  }
  return read;
}

Result<void> describe_toolkits(EnvironmentSetup& setup, std::string_view world,
                               const DataFiles& files) {
  constexpr std::string_view kDescriptions = "tool_descriptions.json";
  if (!files.has(kDescriptions)) return {};
  const Result<std::string> text = files.read(kDescriptions);
  if (!text) return tl::unexpected<Error>(text.error());
  const std::string place = files.place_of(kDescriptions);
  const Result<Value> worlds = parse_json(*text);
  if (!worlds) return fail(ErrorCode::bad_input, place + ": " + worlds.error().message);
  const Value* parties = worlds->find(world);
  if (parties == nullptr) return {};
  const auto describe = [&](Toolkit& toolkit, std::string_view party) -> Result<void> {
    const Value* tools = parties->find(party);
    if (tools == nullptr) return {};
    return describe_tools(toolkit.tools, *tools,
                          place + ": " + std::string(world) + "." + std::string(party));
  };
  Result<void> described = describe(setup.agent, "agent");
  if (described && setup.user) described = describe(*setup.user, "user");
  return described;
}

}  // namespace unmask::world
