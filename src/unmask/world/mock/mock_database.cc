#include "unmask/world/mock/mock_database.h"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/world/validation.h"
#include "unmask/world/value.h"

namespace unmask::world::mock {
namespace {

const Object* object_at(const Value& value, const Place& place, Validation& validation) {
  const Object* object = value.object();
  if (object == nullptr) {
    validation.add(place, "Input should be a valid dictionary", "dict_type", value);
  }
  return object;
}

struct TextMember {
  std::string_view name;
  bool required = true;
  bool may_be_null = false;
  Value absent;  ///< what stands where an optional member is absent
};

/// The members `names` of an object, in that order.
Value texts_from(const Value& value, std::initializer_list<TextMember> members, const Place& place,
                 Validation& validation) {
  Object texts;
  if (object_at(value, place, validation) == nullptr) {
    return texts;
  }
  for (const TextMember& member : members) {
    const Place member_place{.parent = &place, .key = member.name};
    const Value* given = value.find(member.name);
    Value kept = member.absent;
    if (given == nullptr) {
      if (member.required) {
        validation.add(member_place, "Field required", "missing", value);
      }
    } else if (given->is_null() && member.may_be_null) {
      kept = Value();
    } else if (auto text = text_from(*given, member_place, validation)) {
      kept = *std::move(text);
    }
    texts.append(std::string(member.name), std::move(kept));
  }
  return texts;
}

Value user_from(const Value& value, const Place& place, Validation& validation) {
  Value user = texts_from(value, {{.name = "user_id"}, {.name = "name"}}, place, validation);
  List tasks;
  const Place tasks_place{.parent = &place, .key = "tasks"};
  const Value* given = value.find("tasks");
  if (given == nullptr) {
    validation.add(tasks_place, "Field required", "missing", value);
  } else if (const List* ids = given->list()) {
    for (std::size_t at = 0; at < ids->size(); ++at) {
      if (auto id = text_from((*ids)[at], Place{.parent = &tasks_place, .index = at}, validation)) {
        tasks.emplace_back(*std::move(id));
      }
    }
  } else {
    validation.add(tasks_place, "Input should be a valid list", "list_type", *given);
  }
  user.object()->append("tasks", std::move(tasks));
  return user;
}

/// A dict of records under `key`.
Value table_from(const Value& database, std::string_view key,
                 Value (*row_from)(const Value&, const Place&, Validation&), const Place& root,
                 Validation& validation) {
  Object rows;
  const Place place{.parent = &root, .key = key};
  const Value* given = database.find(key);
  if (given == nullptr) {
    validation.add(place, "Field required", "missing", database);
    return rows;
  }
  if (const Object* table = object_at(*given, place, validation)) {
    for (const Member& row : *table) {
      rows.append(row.key,
                  row_from(row.value, Place{.parent = &place, .key = row.key}, validation));
    }
  }
  return rows;
}

}  // namespace

Value task_from(const Value& value, const Place& place, Validation& validation) {
  return texts_from(value,
                    {{.name = "task_id"},
                     {.name = "title"},
                     {.name = "description", .required = false, .may_be_null = true},
                     {.name = "status"}},
                    place, validation);
}

Value notification_from(const Value& value, const Place& place, Validation& validation) {
  return texts_from(value,
                    {{.name = "notification_id"},
                     {.name = "message"},
                     {.name = "status", .required = false, .absent = "unread"},
                     {.name = "task_id", .required = false, .may_be_null = true}},
                    place, validation);
}

Value agent_database_from(const Value& value, Validation& validation) {
  const Place root;
  Object database;
  database.append("tasks", table_from(value, "tasks", task_from, root, validation));
  database.append("users", table_from(value, "users", user_from, root, validation));
  return database;
}

Value user_database_from(const Value& value, Validation& validation) {
  const Place root;
  Object database;
  database.append("notifications",
                  table_from(value, "notifications", notification_from, root, validation));
  return database;
}

}  // namespace unmask::world::mock
