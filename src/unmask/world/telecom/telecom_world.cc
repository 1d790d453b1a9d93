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
#include "unmask/world/data_files.h"
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

BillIds bill_ids_of(const LoadSettings& settings) {
  if (settings.counted_ids) return BillIds(BillIdStyle::counted);
  return BillIds(BillIdStyle::drawn, kDefaultSeed);
}

Result<std::vector<Task>> read_task_file(const DataFiles& files, std::string_view name) {
  const Result<std::string> text = files.read(name);
  if (!text) {
    return tl::unexpected(text.error());
  }
  return read_tasks(*text, files.place_of(name));
}

/// All tasks and splits; without a file of all tasks, the base and small ones.
Result<TaskFiles> read_all_tasks(const DataFiles& files) {
  Result<TaskFiles> read = read_task_files(files);
  if (!read || !read->tasks.empty()) {
    return read;
  }
  std::set<std::string> ids;
  for (const char* name : {"tasks_base.json", "tasks_small.json"}) {
    if (!files.has(name)) {
      continue;
    }
    Result<std::vector<Task>> part = read_task_file(files, name);
    if (!part) {
      return tl::unexpected(part.error());
    }
    for (Task& task : *part) {
      if (ids.insert(task.id).second) {
        read->tasks.push_back(std::move(task));
      }
    }
  }
  return read;
}

Result<std::string> read_policy(const DataFiles& files, std::string_view main,
                                std::string_view tech_support) {
  const Result<std::string> main_text = files.read(main);
  if (!main_text) {
    return main_text;
  }
  const Result<std::string> tech_text = files.read(tech_support);
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
    return tl::unexpected(std::move(synced.error()));
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

Result<std::shared_ptr<const World>> load_telecom(const DataFiles& files, PolicyType policy,
                                                  BillIds bill_ids) {
  const bool workflow = policy == PolicyType::workflow;
  auto setup =
      std::make_shared<EnvironmentSetup>(telecom_setup(workflow ? "telecom-workflow" : "telecom"));
  Result<std::string> text = read_policy(
      files, "main_policy.md", workflow ? "tech_support_workflow.md" : "tech_support_manual.md");
  if (!text) {
    return tl::unexpected(text.error());
  }
  setup->policy = *std::move(text);
  // The manual serves solo agents too.
  text = read_policy(files, "main_policy_solo.md",
                     workflow ? "tech_support_workflow_solo.md" : "tech_support_manual.md");
  if (!text) {
    return tl::unexpected(text.error());
  }
  setup->policy_solo = *std::move(text);

  if (const Result<void> described = describe_toolkits(*setup, "telecom", files); !described) {
    return tl::unexpected(described.error());
  }

  const Result<std::string> agent_text = files.read("db.toml");
  if (!agent_text) {
    return tl::unexpected(agent_text.error());
  }
  Result<AgentRows> rows = read_agent_database(*agent_text, files.place_of("db.toml"));
  if (!rows) {
    return tl::unexpected(rows.error());
  }
  const Result<std::string> user_text = files.read("user_db.toml");
  if (!user_text) {
    return tl::unexpected(user_text.error());
  }
  Result<UserDatabase> user = read_user_database(*user_text, files.place_of("user_db.toml"));
  if (!user) {
    return tl::unexpected(user.error());
  }
  Result<TaskFiles> tasks = read_all_tasks(files);
  if (!tasks) {
    return tl::unexpected(tasks.error());
  }
  return std::make_shared<const TelecomWorld>(
      std::move(setup), std::move(tasks->tasks), std::move(tasks->splits),
      AgentDatabase(*std::move(rows)), *std::move(user), bill_ids);
}

Result<std::shared_ptr<const World>> load_telecom_manual(const DataFiles& files,
                                                         const LoadSettings& settings) {
  return load_telecom(files, PolicyType::manual, bill_ids_of(settings));
}

Result<std::shared_ptr<const World>> load_telecom_workflow(const DataFiles& files,
                                                           const LoadSettings& settings) {
  return load_telecom(files, PolicyType::workflow, bill_ids_of(settings));
}

}  // namespace unmask::world::telecom
