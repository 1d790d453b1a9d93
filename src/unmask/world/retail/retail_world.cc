#include "unmask/world/retail/retail_world.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/data_files.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/retail/read_database.h"
#include "unmask/world/retail/retail_base.h"
#include "unmask/world/retail/retail_data.h"
#include "unmask/world/retail/retail_environment.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/world.h"

namespace unmask::world::retail {
namespace {

std::shared_ptr<const EnvironmentSetup> setup_of(std::string policy, Toolkit toolkit) {
  auto setup = std::make_shared<EnvironmentSetup>();
  setup->domain = "retail";
  setup->policy = std::move(policy);
  setup->agent = std::move(toolkit);
  return setup;
}

}  // namespace

RetailWorld::RetailWorld(Database database, std::string policy, Toolkit toolkit,
                         std::vector<Task> tasks, std::vector<Split> splits)
    : World(setup_of(std::move(policy), std::move(toolkit)), std::move(tasks), std::move(splits)),
      base_(std::make_shared<const RetailBase>(std::move(database))) {}

Outcome<std::unique_ptr<Environment>> RetailWorld::make_environment(bool solo) const {
  if (solo) return raise("ValueError", "Retail domain does not support solo mode");
  return std::make_unique<RetailEnvironment>(shared_setup(), base_);
}

Result<std::shared_ptr<const World>> load_retail(const DataFiles& files,
                                                 const LoadSettings& /*settings*/) {
  const Result<std::string> database_text = files.read("db.json");
  if (!database_text) return tl::unexpected<Error>(database_text.error());
  Result<Database> database = read_database(*database_text, files.place_of("db.json"));
  if (!database) return tl::unexpected<Error>(database.error());
  Result<std::string> policy = files.read("policy.md");
  if (!policy) return tl::unexpected<Error>(policy.error());
  Result<TaskFiles> tasks = read_task_files(files);
  if (!tasks) return tl::unexpected<Error>(tasks.error());
  EnvironmentSetup setup;
  setup.agent = retail_toolkit();
  if (const Result<void> described = describe_toolkits(setup, "retail", files); !described) {
    return tl::unexpected<Error>(described.error());
  }
  return std::make_shared<const RetailWorld>(std::move(*database), std::move(*policy),
                                             std::move(setup.agent), std::move(tasks->tasks),
                                             std::move(tasks->splits));
}

}  // namespace unmask::world::retail
