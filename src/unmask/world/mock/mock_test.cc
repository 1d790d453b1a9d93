#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/sha256.h"
#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/mock/mock_database.h"
#include "unmask/world/mock/mock_world.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/validation.h"
#include "unmask/world/value.h"

namespace unmask::world::mock {
namespace {

constexpr Party kAgent = Party::agent;
constexpr Party kUser = Party::user;

std::unique_ptr<Environment> environment_of_one_user() {
  Validation validation("MockDB");
  Value agent = agent_database_from(
      *parse_json(R"({"tasks": {}, "users": {"u": {"user_id": "u", "name": "Ada", "tasks": []}}})"),
      validation);
  Value user = user_database_from(
      *parse_json(R"({"notifications": {"n": {"notification_id": "n", "message": "m"}}})"),
      validation);
  EXPECT_TRUE(validation.passed()) << validation.text();
  const MockWorld world(std::make_shared<EnvironmentSetup>(mock_setup()), {}, {}, std::move(agent),
                        std::move(user));
  auto environment = world.make_environment();
  EXPECT_TRUE(environment.has_value());
  return *std::move(environment);
}

std::string content(Environment& environment, Party party, std::string name,
                    Object arguments = {}) {
  return environment
      .call(ToolCall{
          .id = "", .name = std::move(name), .arguments = std::move(arguments), .requestor = party})
      .content;
}

std::string run(Environment& environment, Party party, std::string name, Object arguments = {}) {
  const Outcome<Value> value =
      environment.run(FunctionCall{party, std::move(name), std::move(arguments)});
  return value ? dump_json(*value) : text_of(value.error());
}

TEST(Mock, Tasks) {
  const auto environment = environment_of_one_user();
  EXPECT_EQ(content(*environment, kAgent, "create_task", {{"user_id", "u"}, {"title", "Water"}}),
            R"({"task_id": "task_1", "title": "Water", "description": null, "status": "pending"})");
  EXPECT_EQ(content(*environment, kAgent, "create_task", {{"user_id", "v"}, {"title", "Water"}}),
            "Error: User v not found");
  EXPECT_EQ(environment->call({"", "create_task", {{"user_id", "v"}, {"title", ""}}, kAgent}).cause,
            no_such("user"));
  EXPECT_EQ(content(*environment, kAgent, "create_task", {{"user_id", List{}}, {"title", ""}}),
            "Error: unhashable type: 'list'");
  const std::string before = environment->agent_hash();
  EXPECT_TRUE(content(*environment, kAgent, "create_task", {{"user_id", "u"}, {"title", 5}})
                  .starts_with("Error: 1 validation error for Task\ntitle\n  Input should be a "
                               "valid string [type=string_type, input_value=5, input_type=int]"));
  EXPECT_EQ(environment->agent_hash(), before);
  EXPECT_EQ(content(*environment, kAgent, "get_users"),
            R"([{"user_id": "u", "name": "Ada", "tasks": ["task_1"]}])");
  EXPECT_EQ(
      content(*environment, kAgent, "update_task_status", {{"task_id", "task_1"}, {"status", 5}}),
      R"({"task_id": "task_1", "title": "Water", "description": null, "status": 5})");
  EXPECT_EQ(content(*environment, kAgent, "update_task_status", {{"task_id", 1}, {"status", ""}}),
            "Error: Task 1 not found");
  EXPECT_EQ(content(*environment, kAgent, "transfer_to_human_agents", {{"summary", Value()}}),
            "Transfer successful");
  EXPECT_EQ(run(*environment, kAgent, "assert_number_of_tasks",
                {{"user_id", "u"}, {"expected_number", true}}),
            "true");
  EXPECT_EQ(
      run(*environment, kAgent, "assert_task_status", {{"task_id", "x"}, {"expected_status", ""}}),
      "ValueError: Task x not found");
}

TEST(Mock, Notifications) {
  const auto environment = environment_of_one_user();
  const auto snapshot = environment->clone();
  EXPECT_EQ(content(*environment, kUser, "dismiss_notification", {{"notification_id", "n"}}),
            "Notification n dismissed");
  EXPECT_EQ(content(*environment, kUser, "dismiss_notification", {{"notification_id", "x"}}),
            "Error: Notification x not found");
  EXPECT_EQ(run(*environment, kUser, "assert_notification_status",
                {{"notification_id", "n"}, {"expected_status", "read"}}),
            "true");
  EXPECT_EQ(
      run(*environment, kUser, "add_notification", {{"notification_id", "n"}, {"message", "new"}}),
      "null");
  EXPECT_EQ(content(*environment, kUser, "check_notifications"),
            R"([{"notification_id": "n", "message": "new", "status": "unread", "task_id": null}])");
  EXPECT_EQ(content(*snapshot, kUser, "check_notifications"),
            R"([{"notification_id": "n", "message": "m", "status": "unread", "task_id": null}])");
}

TEST(Mock, InitialDataOfOnePartyTakeTheOthersPlace) {
  const auto environment = environment_of_one_user();
  const auto other = environment->clone();
  EXPECT_NE(environment->agent_hash(), environment->user_hash());
  EXPECT_TRUE(
      environment->merge({.agent_data = Object{{"tasks", Object{}}}, .user_data = {}}).has_value());
  EXPECT_EQ(environment->agent_hash(), environment->user_hash());
  EXPECT_EQ(content(*environment, kUser, "check_notifications"),
            "Error: 'MockDB' object has no attribute 'notifications'");
  EXPECT_TRUE(other->merge({.agent_data = {}, .user_data = Object{}}).has_value());
  EXPECT_EQ(content(*other, kAgent, "get_users"),
            "Error: 'MockUserDB' object has no attribute 'users'");
  EXPECT_EQ(
      other->merge({.agent_data = Object{{"tasks", Object{{"t", Object{}}}}}, .user_data = {}})
          .error()
          .type,
      "ValidationError");
}

}  // namespace
}  // namespace unmask::world::mock
