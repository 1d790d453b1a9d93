#include "unmask/world/retail/retail_world.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
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

Result<std::shared_ptr<const World>> load_retail(const std::filesystem::path& folder) {
  const std::filesystem::path database_file = folder / "db.json";
  const Result<std::string> database_text = read_file(database_file);
  if (!database_text) return tl::unexpected<Error>(database_text.error());
  Result<Database> database = read_database(*database_text, database_file.string());
  if (!database) return tl::unexpected<Error>(database.error());
  Result<std::string> policy = read_file(folder / "policy.md");
  if (!policy) return tl::unexpected<Error>(policy.error());
  Result<TaskFiles> tasks = read_task_files(folder);
  if (!tasks) return tl::unexpected<Error>(tasks.error());
  return std::make_shared<const RetailWorld>(std::move(*database), std::move(*policy),
                                             retail_toolkit(), std::move(tasks->tasks),
                                             std::move(tasks->splits));
}

}  // namespace unmask::world::retail
