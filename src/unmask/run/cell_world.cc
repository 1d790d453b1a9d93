#include "unmask/run/cell_world.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/error.h"
#include "unmask/base/sha256.h"
#include "unmask/json/split.h"
#include "unmask/play/facts_user.h"
#include "unmask/play/prompt_texts.h"
#include "unmask/run/run_study.h"
#include "unmask/simulate/plan.h"
#include "unmask/world/data_files.h"
#include "unmask/world/environment.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/generate/own_world.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::run {
namespace {

/// A world with its tasks' texts.
struct LoadedWorld {
  std::string domain;
  bool official = false;
  world::generated::WorldSettings settings;
  CellWorld cell;                                              ///< without tasks
  std::map<std::string, std::string, std::less<>> task_texts;  ///< by id
};

Result<world::DataFiles> files_of(const world::KnownWorld& known, const TaskPlan& tasks,
                                  const std::string& tau2_data) {
  if (tasks.official) return world::DataFiles::of_domain(tau2_data, known.data);
  Result<std::vector<world::generated::GeneratedFile>> files =
      world::generated::generate(tasks.world);
  if (!files) return tl::unexpected(files.error());
  return world::generated::data_files_of(tasks.world.domain, std::move(*files));
}

Result<std::map<std::string, std::string, std::less<>>> read_task_texts(
    const world::DataFiles& files) {
  const std::string_view name = files.has("tasks.json") ? "tasks.json" : "tasks.json.gz";
  const Result<std::string> text = files.read(name);
  if (!text) return tl::unexpected(text.error());
  std::map<std::string, std::string, std::less<>> texts;
  for (const std::string_view element :
       json::split_array(*text).value_or(std::vector<std::string_view>())) {
    for (const json::RawMember& member :
         json::split_object(element).value_or(std::vector<json::RawMember>())) {
      if (member.key != "id") continue;
      const Result<world::Value> id = world::parse_json(member.value);
      if (id && id->is_string()) texts.insert_or_assign(*id->string(), std::string(element));
    }
  }
  return texts;
}

/// The solution that a cell's simulated agents know, if it has such agents.
std::shared_ptr<const simulate::Plan> plan_for(const CellPlan& cell, const world::World& world,
                                               const world::Task& task) {
  const bool simulated = std::ranges::any_of(
      cell.arms, [](const ArmPlan& arm) { return arm.agent == AgentKind::simulated; });
  if (!simulated) return nullptr;
  return std::make_shared<const simulate::Plan>(simulate::plan_of(world, task));
}

/// Of the databases as a task finds them. `place` begins the message of an error.
Result<std::string> state_hash(const world::World& world, const std::string& place) {
  const world::Outcome<std::unique_ptr<world::Environment>> environment =
      world.make_environment(false);
  if (!environment) {
    return fail(ErrorCode::bad_input,
                place + ": its world can't be set up: " + environment.error().text);
  }
  return sha256_hex((*environment)->agent_hash() + (*environment)->user_hash().value_or(""));
}

class Loader {
 public:
  Loader(const RunStudy& study, const std::string& tau2_data)
      : study_(study), tau2_data_(tau2_data) {}

  Result<CellWorld> load(const CellPlan& cell) {
    const Result<const LoadedWorld*> loaded = world_of(cell);
    if (!loaded) return tl::unexpected(loaded.error());
    const LoadedWorld& found = **loaded;
    Result<std::vector<const world::Task*>> tasks = chosen_tasks(cell, *found.cell.world);
    if (!tasks) return tl::unexpected(tasks.error());
    CellWorld result = found.cell;
    for (const world::Task* task : *tasks) {
      const auto text = found.task_texts.find(task->id);
      UNMASK_CHECK(text != found.task_texts.end());
      result.tasks.push_back(
          {.task = task, .json = text->second, .plan = plan_for(cell, *result.world, *task)});
    }
    return result;
  }

 private:
  [[nodiscard]] std::string place(const CellPlan& cell) const {
    return study_.path + ": cell " + cell.source.info.cell;
  }

  Result<const LoadedWorld*> world_of(const CellPlan& cell) {
    const std::string& domain = cell.source.info.domain;
    const TaskPlan& tasks = cell.tasks;
    for (const std::unique_ptr<LoadedWorld>& known : worlds_) {
      if (known->domain == domain && known->official == tasks.official &&
          (tasks.official || known->settings == tasks.world)) {
        return known.get();
      }
    }
    if (tasks.official && tau2_data_.empty()) {
      return fail(ErrorCode::invalid_argument,
                  place(cell) +
                      " plays official tasks; say where tau2-bench's data are with --tau2-data "
                      "(scripts/get-tau2-data installs them)");
    }
    const world::KnownWorld* known = world::find_known_world(domain);
    UNMASK_CHECK(known != nullptr);
    const Result<world::DataFiles> files = files_of(*known, tasks, tau2_data_);
    if (!files) return tl::unexpected(files.error());
    Result<std::shared_ptr<const world::World>> world = known->load(*files, {});
    if (!world) return tl::unexpected(world.error());
    auto texts = read_task_texts(*files);
    if (!texts) return tl::unexpected(texts.error());
    Result<play::PromptTexts> prompts =
        tasks.official ? play::read_prompt_texts(*files) : play::own_prompt_texts();
    if (!prompts) return tl::unexpected(prompts.error());
    CellWorld made;
    made.world = std::move(*world);
    Result<std::string> hash = state_hash(*made.world, place(cell));
    if (!hash) return tl::unexpected(hash.error());
    made.state_hash = std::move(*hash);
    made.texts = std::make_shared<const play::PromptTexts>(std::move(*prompts));
    if (const std::optional<world::Toolkit>& user = made.world->setup().user) {
      made.steps = std::make_shared<const play::StepFinder>(*user);
    }
    worlds_.push_back(std::make_unique<LoadedWorld>(
        LoadedWorld{domain, tasks.official, tasks.world, std::move(made), std::move(*texts)}));
    return worlds_.back().get();
  }

  [[nodiscard]] Result<std::vector<const world::Task*>> chosen_tasks(
      const CellPlan& cell, const world::World& world) const {
    const TaskPlan& plan = cell.tasks;
    std::vector<const world::Task*> tasks;
    if (plan.official) {
      Result<std::vector<const world::Task*>> split =
          world.split(plan.split.empty() ? "base" : plan.split);
      if (!split) {
        return fail(ErrorCode::bad_input, place(cell) + ": " + split.error().message);
      }
      tasks = std::move(*split);
    } else {
      for (const world::Task& task : world.tasks()) tasks.push_back(&task);
    }
    if (!plan.ids.empty()) {
      const std::set<std::string_view> wanted(plan.ids.begin(), plan.ids.end());
      for (const std::string& id : plan.ids) {
        if (!std::ranges::any_of(tasks, [&](const world::Task* task) { return task->id == id; })) {
          return fail(ErrorCode::bad_input, place(cell) + ": there is no task '" + id +
                                                "'; `unmask worlds tasks` lists them");
        }
      }
      std::erase_if(tasks, [&](const world::Task* task) { return !wanted.contains(task->id); });
    }
    if (plan.num_tasks && tasks.size() > *plan.num_tasks) tasks.resize(*plan.num_tasks);
    if (tasks.empty()) return fail(ErrorCode::bad_input, place(cell) + " has no tasks");
    return tasks;
  }

  const RunStudy& study_;
  const std::string& tau2_data_;
  std::vector<std::unique_ptr<LoadedWorld>> worlds_;
};

}  // namespace

Result<std::vector<CellWorld>> load_worlds(const RunStudy& study, const std::string& tau2_data) {
  Loader loader(study, tau2_data);
  std::vector<CellWorld> worlds;
  for (const CellPlan& cell : study.cells) {
    Result<CellWorld> world = loader.load(cell);
    if (!world) return tl::unexpected(world.error());
    worlds.push_back(std::move(*world));
  }
  return worlds;
}

}  // namespace unmask::run
