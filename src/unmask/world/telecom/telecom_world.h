#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/telecom/agent_state.h"
#include "unmask/world/telecom/bill_ids.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/world.h"

namespace unmask::world::telecom {

/// How the agent is told to support customers technically: by a manual or by a workflow. The latter
/// is tau2-bench's domain `telecom-workflow`; data and tools are the same.
enum class PolicyType : std::uint8_t { manual, workflow };

class TelecomWorld final : public World {
 public:
  /// `bill_ids` is what each environment starts with.
  TelecomWorld(std::shared_ptr<const EnvironmentSetup> setup, std::vector<Task> tasks,
               std::vector<Split> splits, AgentDatabase agent, UserDatabase user, BillIds bill_ids);

  [[nodiscard]] Outcome<std::unique_ptr<Environment>> make_environment(
      bool solo = false) const override;

 private:
  AgentDatabase agent_;
  UserDatabase user_;
  BillIds bill_ids_;
};

/// Both toolkits, without descriptions.
[[nodiscard]] EnvironmentSetup telecom_setup(std::string_view domain);

/// A policy of two files' texts.
[[nodiscard]] std::string policy_of(std::string_view main, std::string_view tech_support);

/// The databases of TOML texts; `file` begins the errors. Errors: bad_input, with file and place.
[[nodiscard]] Result<AgentRows> read_agent_database(std::string_view toml, std::string_view file);
[[nodiscard]] Result<UserDatabase> read_user_database(std::string_view toml, std::string_view file);

/// Loads a folder of tau2-bench's telecom data: databases, policies, splits and tasks. The tasks
/// are those of tasks.json or tasks.json.gz, or without these of tasks_base.json and
/// tasks_small.json; a folder may have none. Errors: outside for a missing database or policy,
/// bad_input for a broken file.
[[nodiscard]] Result<std::shared_ptr<const World>> load_telecom(const std::filesystem::path& folder,
                                                                PolicyType policy,
                                                                BillIds bill_ids);
/// The domain `telecom`, with bill ids drawn at random from the default seed.
[[nodiscard]] Result<std::shared_ptr<const World>> load_telecom_manual(
    const std::filesystem::path& folder);
/// The domain `telecom-workflow`, likewise.
[[nodiscard]] Result<std::shared_ptr<const World>> load_telecom_workflow(
    const std::filesystem::path& folder);

}  // namespace unmask::world::telecom
