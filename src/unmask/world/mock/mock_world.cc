#include "unmask/world/mock/mock_world.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "unmask/base/error.h"
#include "unmask/world/environment.h"
#include "unmask/world/mock/mock_database.h"
#include "unmask/world/mock/mock_environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/validation.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::world::mock {
namespace {

constexpr std::string_view kCreateTaskSchema = R"({
  "properties": {"user_id": {"title": "User Id", "type": "string"},
    "title": {"title": "Title", "type": "string"},
    "description": {"default": null, "title": "Description", "type": "string"}},
  "required": ["user_id", "title"], "title": "parameters", "type": "object"})";

constexpr std::string_view kUpdateTaskSchema = R"({
  "properties": {"task_id": {"title": "Task Id", "type": "string"},
    "status": {"enum": ["pending", "completed"], "title": "Status", "type": "string"}},
  "required": ["task_id", "status"], "title": "parameters", "type": "object"})";

Tool method(Method id, std::string_view name, ToolKind kind, std::vector<Parameter> parameters,
            std::string_view schema = {}) {
  Tool tool;
  tool.id = static_cast<int>(id);
  tool.name = name;
  tool.kind = kind;
  tool.parameters = std::move(parameters);
  tool.schema = schema.empty() ? schema_of(tool.parameters) : *parse_json(schema);
  return tool;
}

Result<Value> read_database(const std::filesystem::path& file, std::string_view class_name,
                            Value (*complete)(const Value&, Validation&)) {
  const Result<std::string> text = read_file(file);
  if (!text) {
    return tl::unexpected(text.error());
  }
  const Result<Value> value = parse_json(*text);
  if (!value) {
    return fail(ErrorCode::bad_input, file.string() + ": " + value.error().message);
  }
  Validation validation(class_name);
  Value database = complete(*value, validation);
  if (!validation.passed()) {
    return fail(ErrorCode::bad_input, file.string() + ": " + validation.text());
  }
  return database;
}

}  // namespace

MockWorld::MockWorld(std::shared_ptr<const EnvironmentSetup> setup, std::vector<Task> tasks,
                     std::vector<Split> splits, Value agent_database, Value user_database)
    : World(std::move(setup), std::move(tasks), std::move(splits)),
      agent_database_(std::move(agent_database)),
      user_database_(std::move(user_database)) {}

Outcome<std::unique_ptr<Environment>> MockWorld::make_environment(bool solo) const {
  return std::make_unique<MockEnvironment>(shared_setup(), solo, agent_database_, user_database_);
}

EnvironmentSetup mock_setup() {
  using enum ToolKind;
  EnvironmentSetup setup;
  setup.domain = "mock";
  setup.agent.class_name = "MockTools";
  setup.agent.tools = {
      method(Method::create_task, "create_task", write,
             {{.name = "user_id"}, {.name = "title"}, {.name = "description", .required = false}},
             kCreateTaskSchema),
      method(Method::get_users, "get_users", read, {}),
      method(Method::update_task_status, "update_task_status", write,
             {{.name = "task_id"}, {.name = "status"}}, kUpdateTaskSchema),
      method(Method::transfer_to_human_agents, "transfer_to_human_agents", generic,
             {{.name = "summary"}})};
  setup.agent.functions = {method(Method::assert_task_status, "assert_task_status", function,
                                  {{.name = "task_id"}, {.name = "expected_status"}}),
                           method(Method::assert_number_of_tasks, "assert_number_of_tasks",
                                  function, {{.name = "user_id"}, {.name = "expected_number"}})};
  Toolkit& user = setup.user.emplace();
  user.class_name = "MockUserTools";
  user.tools = {method(Method::check_notifications, "check_notifications", read, {}),
                method(Method::dismiss_notification, "dismiss_notification", write,
                       {{.name = "notification_id"}})};
  user.functions = {method(Method::add_notification, "add_notification", function,
                           {{.name = "notification_id"},
                            {.name = "message"},
                            {.name = "task_id", .required = false}}),
                    method(Method::assert_notification_status, "assert_notification_status",
                           function, {{.name = "notification_id"}, {.name = "expected_status"}})};
  return setup;
}

Result<std::shared_ptr<const World>> load_mock(const std::filesystem::path& folder) {
  auto setup = std::make_shared<EnvironmentSetup>(mock_setup());
  Result<std::string> text = read_file(folder / "policy.md");
  if (!text) {
    return tl::unexpected(text.error());
  }
  setup->policy = *std::move(text);
  text = read_file(folder / "policy_solo.md");
  if (!text) {
    return tl::unexpected(text.error());
  }
  setup->policy_solo = *std::move(text);
  Result<Value> agent = read_database(folder / "db.json", kAgentClass, agent_database_from);
  if (!agent) {
    return tl::unexpected(agent.error());
  }
  Result<Value> user = read_database(folder / "user_db.json", kUserClass, user_database_from);
  if (!user) {
    return tl::unexpected(user.error());
  }
  Result<TaskFiles> files = read_task_files(folder);
  if (!files) {
    return tl::unexpected(files.error());
  }
  return std::make_shared<const MockWorld>(std::move(setup), std::move(files->tasks),
                                           std::move(files->splits), *std::move(agent),
                                           *std::move(user));
}

}  // namespace unmask::world::mock
