#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

// tau2-bench's domain `mock`: a to-do list and a user's notifications, on which the simulation
// loop's behaviour is shown. Small, so its databases are plain JSON values.

namespace unmask::world::mock {

class MockWorld final : public World {
 public:
  /// The databases are complete: as read_agent_database and read_user_database return them.
  MockWorld(std::shared_ptr<const EnvironmentSetup> setup, std::vector<Task> tasks,
            std::vector<Split> splits, Value agent_database, Value user_database);

  [[nodiscard]] Outcome<std::unique_ptr<Environment>> make_environment(
      bool solo = false) const override;

 private:
  Value agent_database_;
  Value user_database_;
};

/// Both toolkits, without descriptions.
[[nodiscard]] EnvironmentSetup mock_setup();

/// Loads a folder of tau2-bench's mock data. Errors: outside for a missing file, bad_input for a
/// broken one.
[[nodiscard]] Result<std::shared_ptr<const World>> load_mock(const std::filesystem::path& folder);

}  // namespace unmask::world::mock
