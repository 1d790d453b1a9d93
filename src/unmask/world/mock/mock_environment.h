#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world::mock {

/// Numbers of the tools and functions in the toolkits.
enum class Method : std::uint8_t {
  create_task,
  get_users,
  update_task_status,
  transfer_to_human_agents,
  assert_task_status,
  assert_number_of_tasks,
  check_notifications,
  dismiss_notification,
  add_notification,
  assert_notification_status,
};

class MockEnvironment final : public Environment {
 public:
  MockEnvironment(std::shared_ptr<const EnvironmentSetup> setup, bool solo, Value agent_database,
                  Value user_database);

  [[nodiscard]] std::unique_ptr<Environment> clone() const override;
  [[nodiscard]] std::string agent_hash() const override;
  [[nodiscard]] std::optional<std::string> user_hash() const override;

  /// As the original: after initial data for one party, both parties' tools work on that party's
  /// database, so the other's tools fail. With data for both, the user's data come last.
  [[nodiscard]] Outcome<void> merge(const InitializationData& data) override;

 private:
  MockEnvironment(const MockEnvironment&) = default;

  /// Which database a toolkit works on.
  enum class Shared : std::uint8_t { none, agent, user };

  [[nodiscard]] Outcome<std::string> run_tool(Party owner, const Tool& tool,
                                              const Arguments& arguments) override;
  [[nodiscard]] Outcome<Value> run_method(Party owner, const Tool& method,
                                          const Arguments& arguments) override;

  /// A table of the party's database. Raises AttributeError if the database it was given is the
  /// other one.
  [[nodiscard]] Outcome<Object*> table(Party party, std::string_view name);

  [[nodiscard]] Outcome<Value> create_task(const Arguments& arguments);
  [[nodiscard]] Outcome<Value> update_task_status(const Arguments& arguments);
  [[nodiscard]] Outcome<Value> rows(Party party, std::string_view table_name);
  [[nodiscard]] Outcome<Value> dismiss_notification(const Arguments& arguments);
  [[nodiscard]] Outcome<Value> add_notification(const Arguments& arguments);
  [[nodiscard]] Outcome<Value> assert_number_of_tasks(const Arguments& arguments);
  [[nodiscard]] Outcome<Value> has_status(Party party, std::string_view table_name,
                                          std::string_view kind, const Arguments& arguments);

  Value agent_database_;
  Value user_database_;
  Shared shared_ = Shared::none;
};

}  // namespace unmask::world::mock
