#include "unmask/world/telecom/telecom_world.h"

#include <array>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "unmask/base/error.h"
#include "unmask/base/rng.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/telecom/agent_methods.h"
#include "unmask/world/telecom/bill_ids.h"
#include "unmask/world/telecom/method.h"
#include "unmask/world/telecom/telecom_environment.h"
#include "unmask/world/telecom/user_methods.h"
#include "unmask/world/tool.h"
#include "unmask/world/world.h"

namespace unmask::world::telecom {
namespace {

/// Tools and functions of one side.
template <typename State>
Toolkit whole_toolkit(std::string_view class_name, std::span<const Method<State>> tools,
                      std::span<const Method<State>> functions) {
  Toolkit toolkit = toolkit_of(std::string(class_name), tools);
  toolkit.functions = toolkit_of(std::string(class_name), functions).functions;
  return toolkit;
}

Result<std::vector<Task>> read_task_file(const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file);
  if (!text) {
    return tl::unexpected(text.error());
  }
  return read_tasks(*text, file.string());
}

/// The folder's tasks and splits; without a file of all tasks, the base and small ones.
Result<TaskFiles> read_all_tasks(const std::filesystem::path& folder) {
  Result<TaskFiles> files = read_task_files(folder);
  if (!files || !files->tasks.empty()) {
    return files;
  }
  std::set<std::string> ids;
  for (const char* name : {"tasks_base.json", "tasks_small.json"}) {
    std::error_code ignored;
    if (!std::filesystem::exists(folder / name, ignored)) {
      continue;
    }
    Result<std::vector<Task>> part = read_task_file(folder / name);
    if (!part) {
      return tl::unexpected(part.error());
    }
    for (Task& task : *part) {
      if (ids.insert(task.id).second) {
        files->tasks.push_back(std::move(task));
      }
    }
  }
  return files;
}

Result<std::string> read_policy(const std::filesystem::path& folder, std::string_view main,
                                std::string_view tech_support) {
  const Result<std::string> main_text = read_file(folder / main);
  if (!main_text) {
    return main_text;
  }
  const Result<std::string> tech_text = read_file(folder / tech_support);
  if (!tech_text) {
    return tech_text;
  }
  return policy_of(*main_text, *tech_text);
}

}  // namespace

TelecomWorld::TelecomWorld(std::shared_ptr<const EnvironmentSetup> setup, std::vector<Task> tasks,
                           std::vector<Split> splits, AgentDatabase agent, UserDatabase user,
                           BillIds bill_ids)
    : World(std::move(setup), std::move(tasks), std::move(splits)),
      agent_(std::move(agent)),
      user_(std::move(user)),
      bill_ids_(bill_ids) {}

Outcome<std::unique_ptr<Environment>> TelecomWorld::make_environment(bool solo) const {
  std::unique_ptr<Environment> environment = std::make_unique<TelecomEnvironment>(
      shared_setup(), solo, AgentState{.database = agent_, .bill_ids = bill_ids_},
      UserState{.database = user_, .vpn_server = {}});
  if (Outcome<void> synced = environment->sync(); !synced) {
    return raised_by(synced);
  }
  return environment;
}

EnvironmentSetup telecom_setup(std::string_view domain) {
  EnvironmentSetup setup;
  setup.domain = domain;
  setup.agent = whole_toolkit("TelecomTools", agent_tools(), agent_functions());
  setup.user = whole_toolkit("TelecomUserTools", user_tools(), user_functions());
  return setup;
}

std::string policy_of(std::string_view main, std::string_view tech_support) {
  std::string policy = "<main_policy>\n";
  policy += main;
  policy += "\n</main_policy>\n<tech_support_policy>\n";
  policy += tech_support;
  policy += "\n</tech_support_policy>";
  return policy;
}

Result<std::shared_ptr<const World>> load_telecom(const std::filesystem::path& folder,
                                                  PolicyType policy, BillIds bill_ids) {
  const bool workflow = policy == PolicyType::workflow;
  auto setup =
      std::make_shared<EnvironmentSetup>(telecom_setup(workflow ? "telecom-workflow" : "telecom"));
  Result<std::string> text = read_policy(
      folder, "main_policy.md", workflow ? "tech_support_workflow.md" : "tech_support_manual.md");
  if (!text) {
    return tl::unexpected(text.error());
  }
  setup->policy = *std::move(text);
  // The manual serves solo agents too.
  text = read_policy(folder, "main_policy_solo.md",
                     workflow ? "tech_support_workflow_solo.md" : "tech_support_manual.md");
  if (!text) {
    return tl::unexpected(text.error());
  }
  setup->policy_solo = *std::move(text);

  const Result<std::string> agent_text = read_file(folder / "db.toml");
  if (!agent_text) {
    return tl::unexpected(agent_text.error());
  }
  Result<AgentRows> rows = read_agent_database(*agent_text, (folder / "db.toml").string());
  if (!rows) {
    return tl::unexpected(rows.error());
  }
  const Result<std::string> user_text = read_file(folder / "user_db.toml");
  if (!user_text) {
    return tl::unexpected(user_text.error());
  }
  Result<UserDatabase> user = read_user_database(*user_text, (folder / "user_db.toml").string());
  if (!user) {
    return tl::unexpected(user.error());
  }
  Result<TaskFiles> files = read_all_tasks(folder);
  if (!files) {
    return tl::unexpected(files.error());
  }
  return std::make_shared<const TelecomWorld>(
      std::move(setup), std::move(files->tasks), std::move(files->splits),
      AgentDatabase(*std::move(rows)), *std::move(user), bill_ids);
}

Result<std::shared_ptr<const World>> load_telecom_manual(const std::filesystem::path& folder) {
  return load_telecom(folder, PolicyType::manual, BillIds(BillIdStyle::drawn, kDefaultSeed));
}

Result<std::shared_ptr<const World>> load_telecom_workflow(const std::filesystem::path& folder) {
  return load_telecom(folder, PolicyType::workflow, BillIds(BillIdStyle::drawn, kDefaultSeed));
}

}  // namespace unmask::world::telecom
