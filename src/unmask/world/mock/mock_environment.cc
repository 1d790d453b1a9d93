#include "unmask/world/mock/mock_environment.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/base/check.h"
#include "unmask/base/sha256.h"
#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/merge.h"
#include "unmask/world/mock/mock_database.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/validation.h"
#include "unmask/world/value.h"

namespace unmask::world::mock {
namespace {

/// `entity` as a cause's kind.
constexpr std::string_view kind_of(std::string_view entity) {
  return entity == "User" ? "user" : entity == "Task" ? "task" : "notification";
}

/// The row that `key` names. Raises ValueError where there is none, and Python's TypeError for a
/// key that it can't look up.
Outcome<Value*> row(Object& table, std::string_view entity, const Value& key) {
  if (key.list() != nullptr || key.object() != nullptr) {
    return raise("TypeError", "unhashable type: '" + std::string(type_name(key)) + "'");
  }
  const std::string* text = key.string();
  Value* found = text == nullptr ? nullptr : table.find(*text);
  if (found == nullptr) {
    return raise("ValueError", std::string(entity) + " " + python_str(key) + " not found",
                 no_such(kind_of(entity)));
  }
  return found;
}

template <typename Database>
Outcome<void> merge_into(Value& database, const Value& data, std::string_view class_name,
                         Database complete) {
  Value merged = database;
  if (const Object* members = data.object()) {
    merge_objects(*merged.object(), *members);
  }
  Validation validation(class_name);  // NOLINT(misc-const-correctness): `complete` fills it
  merged = complete(merged, validation);
  if (!validation.passed()) {
    return raise("ValidationError", validation.text());
  }
  database = std::move(merged);
  return {};
}

}  // namespace

MockEnvironment::MockEnvironment(std::shared_ptr<const EnvironmentSetup> setup, bool solo,
                                 Value agent_database, Value user_database)
    : Environment(std::move(setup), solo),
      agent_database_(std::move(agent_database)),
      user_database_(std::move(user_database)) {}

std::unique_ptr<Environment> MockEnvironment::clone() const {
  return std::unique_ptr<Environment>(new MockEnvironment(*this));
}

std::string MockEnvironment::agent_hash() const {
  return sha256_hex(dump_sorted_json(shared_ == Shared::user ? user_database_ : agent_database_));
}

std::optional<std::string> MockEnvironment::user_hash() const {
  return sha256_hex(dump_sorted_json(shared_ == Shared::agent ? agent_database_ : user_database_));
}

Outcome<void> MockEnvironment::merge(const InitializationData& data) {
  if (!data.agent_data.is_null()) {
    Outcome<void> merged =
        merge_into(agent_database_, data.agent_data, kAgentClass, agent_database_from);
    if (!merged) {
      return merged;
    }
    shared_ = Shared::agent;
  }
  if (!data.user_data.is_null()) {
    Outcome<void> merged =
        merge_into(user_database_, data.user_data, kUserClass, user_database_from);
    if (!merged) {
      return merged;
    }
    shared_ = Shared::user;
  }
  return {};
}

Outcome<Object*> MockEnvironment::table(Party party, std::string_view name) {
  const bool agent_database =
      party == Party::agent ? shared_ != Shared::user : shared_ == Shared::agent;
  Value& database = agent_database ? agent_database_ : user_database_;
  Value* found = database.object()->find(name);
  if (found == nullptr) {
    return raise("AttributeError", "'" + std::string(agent_database ? kAgentClass : kUserClass) +
                                       "' object has no attribute '" + std::string(name) + "'");
  }
  return found->object();
}

Outcome<Value> MockEnvironment::create_task(const Arguments& arguments) {
  const Outcome<Object*> users = table(Party::agent, "users");
  if (!users) {
    return raised_by(users);
  }
  const Outcome<Value*> user = row(**users, "User", arguments[0]);
  if (!user) {
    return raised_by(user);
  }
  const Outcome<Object*> tasks = table(Party::agent, "tasks");
  if (!tasks) {
    return raised_by(tasks);
  }
  const std::string task_id = "task_" + std::to_string((*tasks)->size() + 1);
  const Value* description = arguments.find(2);
  Validation validation("Task");
  const Place root;
  Value task = task_from(Object{{"task_id", task_id},
                                {"title", arguments[1]},
                                {"description", description == nullptr ? Value() : *description},
                                {"status", "pending"}},
                         root, validation);
  if (!validation.passed()) {
    return raise("ValidationError", validation.text());
  }
  (*tasks)->set(task_id, task);
  (*user)->object()->find("tasks")->list()->emplace_back(task_id);
  return task;
}

Outcome<Value> MockEnvironment::update_task_status(const Arguments& arguments) {
  const Outcome<Object*> tasks = table(Party::agent, "tasks");
  if (!tasks) {
    return raised_by(tasks);
  }
  const Outcome<Value*> task = row(**tasks, "Task", arguments[0]);
  if (!task) {
    return raised_by(task);
  }
  (*task)->object()->set("status", arguments[1]);
  return **task;
}

Outcome<Value> MockEnvironment::rows(Party party, std::string_view table_name) {
  const Outcome<Object*> found = table(party, table_name);
  if (!found) {
    return raised_by(found);
  }
  List list;
  for (const Member& member : **found) {
    list.push_back(member.value);
  }
  return Value(std::move(list));
}

Outcome<Value> MockEnvironment::dismiss_notification(const Arguments& arguments) {
  const Outcome<Object*> notifications = table(Party::user, "notifications");
  if (!notifications) {
    return raised_by(notifications);
  }
  const Outcome<Value*> notification = row(**notifications, "Notification", arguments[0]);
  if (!notification) {
    return raised_by(notification);
  }
  (*notification)->object()->set("status", "read");
  return Value("Notification " + python_str(arguments[0]) + " dismissed");
}

Outcome<Value> MockEnvironment::add_notification(const Arguments& arguments) {
  const Outcome<Object*> notifications = table(Party::user, "notifications");
  if (!notifications) {
    return raised_by(notifications);
  }
  const Value* task_id = arguments.find(2);
  Validation validation("Notification");
  const Place root;
  Value notification =
      notification_from(Object{{"notification_id", arguments[0]},
                               {"message", arguments[1]},
                               {"status", "unread"},
                               {"task_id", task_id == nullptr ? Value() : *task_id}},
                        root, validation);
  if (!validation.passed()) {
    return raise("ValidationError", validation.text());
  }
  (*notifications)->set(*arguments[0].string(), std::move(notification));
  return Value();
}

Outcome<Value> MockEnvironment::assert_number_of_tasks(const Arguments& arguments) {
  const Outcome<Object*> users = table(Party::agent, "users");
  if (!users) {
    return raised_by(users);
  }
  const Outcome<Value*> user = row(**users, "User", arguments[0]);
  if (!user) {
    return raised_by(user);
  }
  const auto count = static_cast<std::int64_t>((*user)->find("tasks")->list()->size());
  return Value(python_equal(Value(count), arguments[1]));
}

Outcome<Value> MockEnvironment::has_status(Party party, std::string_view table_name,
                                           std::string_view kind, const Arguments& arguments) {
  const Outcome<Object*> found = table(party, table_name);
  if (!found) {
    return raised_by(found);
  }
  const Outcome<Value*> record = row(**found, kind, arguments[0]);
  if (!record) {
    return raised_by(record);
  }
  return Value(python_equal(*(*record)->find("status"), arguments[1]));
}

Outcome<Value> MockEnvironment::run_method(Party /*owner*/, const Tool& method,
                                           const Arguments& arguments) {
  switch (static_cast<Method>(method.id)) {
    case Method::create_task:
      return create_task(arguments);
    case Method::get_users:
      return rows(Party::agent, "users");
    case Method::update_task_status:
      return update_task_status(arguments);
    case Method::transfer_to_human_agents:
      return Value("Transfer successful");
    case Method::assert_task_status:
      return has_status(Party::agent, "tasks", "Task", arguments);
    case Method::assert_number_of_tasks:
      return assert_number_of_tasks(arguments);
    case Method::check_notifications:
      return rows(Party::user, "notifications");
    case Method::dismiss_notification:
      return dismiss_notification(arguments);
    case Method::add_notification:
      return add_notification(arguments);
    case Method::assert_notification_status:
      return has_status(Party::user, "notifications", "Notification", arguments);
  }
  UNMASK_CHECK(false);
}

Outcome<std::string> MockEnvironment::run_tool(Party owner, const Tool& tool,
                                               const Arguments& arguments) {
  Outcome<Value> value = run_method(owner, tool, arguments);
  if (!value) {
    return raised_by(value);
  }
  const std::string* text = value->string();
  return text == nullptr ? dump_json(*value) : *text;
}

}  // namespace unmask::world::mock
