#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/cli/world_commands.h"
#include "unmask/cli/world_options.h"
#include "unmask/episode/channel.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::cli {
namespace {

std::string basis_of(const world::EvaluationCriteria& criteria) {
  std::vector<std::string_view> parts;
  for (const world::RewardPart part : criteria.reward_basis) parts.push_back(name_of(part));
  return joined(parts, ", ");
}

std::string instructions_of(const world::Task& task) {
  const world::Value& instructions = task.user_scenario.instructions;
  if (instructions.is_string()) return *instructions.string() + "\n";
  std::string text;
  if (const world::Object* parts = instructions.object()) {
    for (const world::Member& part : *parts) {
      if (!part.value.is_null()) text += part.key + ": " + world::python_str(part.value) + "\n";
    }
  }
  return text;
}

/// All of a task that a person asks about: what the user wants, and what a perfect run does.
std::string shown(const world::Task& task) {
  std::string text = "task " + task.id + "\n\n" + instructions_of(task);
  if (task.initial_state) {
    text += "\nbefore the episode\n";
    for (const world::InitialAction& action : task.initial_state->actions) {
      text += "  " + std::string(world::requestor_name(action.function.party)) + " " +
              action.function.name + " " + world::dump_json(action.function.arguments) + "\n";
    }
  }
  if (!task.evaluation_criteria) return text + "\nno evaluation criteria\n";
  const world::EvaluationCriteria& criteria = *task.evaluation_criteria;
  text += "\ngolden actions\n";
  if (criteria.actions) {
    for (const world::GoldenAction& action : *criteria.actions) {
      text += "  " + std::string(world::requestor_name(action.requestor)) + " " + action.name +
              " " + world::dump_json(action.arguments) + "\n";
    }
  }
  if (criteria.env_assertions && !criteria.env_assertions->empty()) {
    text += "\nat the end\n";
    for (const world::Assertion& assertion : *criteria.env_assertions) {
      text += "  " + assertion.function.name + " " +
              world::dump_json(assertion.function.arguments) +
              (assertion.expected ? "" : " is false") + "\n";
    }
  }
  return text + "\nreward basis: " + basis_of(criteria) + "\n";
}

class WorldsTasks final : public Command {
 public:
  explicit WorldsTasks(CLI::App& worlds) {
    app_ = worlds.add_subcommand("tasks", "The tasks of a world; with ids, each in full");
    app_->add_option("world", world_, "world, see `unmask worlds list`")
        ->required()
        ->type_name("WORLD");
    app_->add_option("--task-ids", ids_, "show these tasks in full")->type_name("ID");
    app_->add_option("--split", split_, "only the tasks of this split")->type_name("NAME");
    options_.add(*app_);
  }

  int run() override {
    const Result<std::shared_ptr<const world::World>> world = options_.load(world_);
    if (!world) return report_failure(world.error());
    Result<std::vector<const world::Task*>> tasks = chosen(**world);
    if (!tasks) return report_failure(tasks.error());
    std::string text;
    for (const world::Task* task : *tasks) {
      if (ids_.empty()) {
        text += task->id + "\n";
      } else {
        text += (text.empty() ? "" : "\n") + shown(*task);
      }
    }
    const Result<void> written = write_output("", for_destination("", text));
    return written ? kDone : report_failure(written.error());
  }

 private:
  Result<std::vector<const world::Task*>> chosen(const world::World& world) const {
    if (!ids_.empty()) {
      std::vector<const world::Task*> tasks;
      for (const std::string& id : ids_) {
        const Result<const world::Task*> task = WorldOptions::task(world, id);
        if (!task) return tl::unexpected(task.error());
        tasks.push_back(*task);
      }
      return tasks;
    }
    if (!split_.empty()) return world.split(split_);
    std::vector<const world::Task*> tasks;
    for (const world::Task& task : world.tasks()) tasks.push_back(&task);
    return tasks;
  }

  WorldOptions options_;
  std::string world_;
  std::vector<std::string> ids_;
  std::string split_;
};

}  // namespace

std::unique_ptr<Command> worlds_tasks_command(CLI::App& worlds) {
  return std::make_unique<WorldsTasks>(worlds);
}

}  // namespace unmask::cli
