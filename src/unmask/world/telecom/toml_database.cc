#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "unmask/base/error.h"
#include "unmask/world/telecom/agent_database.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/telecom/record.h"
#include "unmask/world/telecom/records.h"
#include "unmask/world/telecom/telecom_world.h"
#include "unmask/world/validation.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {
namespace {

template <typename T>
std::string written(const T& value) {
  std::ostringstream text;
  text << value;
  return std::move(text).str();
}

/// A TOML value as JSON; dates and times become text.
Value value_from(const toml::node& node) {
  if (const toml::table* table = node.as_table()) {
    // The library sorts keys; the apps' order is the file's.
    std::vector<std::pair<const toml::key*, const toml::node*>> members;
    members.reserve(table->size());
    for (const auto& [key, member] : *table) {
      members.emplace_back(&key, &member);
    }
    std::ranges::sort(members, {}, [](const auto& member) {
      return std::pair(member.first->source().begin.line, member.first->source().begin.column);
    });
    Object object;
    for (const auto& [key, member] : members) {
      object.append(std::string(key->str()), value_from(*member));
    }
    return object;
  }
  if (const toml::array* array = node.as_array()) {
    List list;
    list.reserve(array->size());
    for (const toml::node& element : *array) {
      list.push_back(value_from(element));
    }
    return list;
  }
  if (const auto* text = node.as_string()) {
    return text->get();
  }
  if (const auto* integer = node.as_integer()) {
    return std::int64_t{integer->get()};
  }
  if (const auto* real = node.as_floating_point()) {
    return real->get();
  }
  if (const auto* truth = node.as_boolean()) {
    return truth->get();
  }
  if (const auto* date = node.as_date()) {
    return written(date->get());
  }
  if (const auto* time = node.as_time()) {
    return written(time->get());
  }
  if (const auto* date_time = node.as_date_time()) {
    return written(date_time->get());
  }
  return {};
}

template <typename Database>
Result<Database> read_database(std::string_view toml, std::string_view file) {
  try {
    const toml::table table = toml::parse(toml, file);
    Validation validation(Record<Database>::kClass);
    auto database = record_of<Database>(value_from(table), validation);
    if (!validation.passed()) {
      return fail(ErrorCode::bad_input, std::string(file) + ": " + validation.text());
    }
    return database;
  } catch (const toml::parse_error& error) {
    return fail(ErrorCode::bad_input, std::string(file) + ":" +
                                          std::to_string(error.source().begin.line) + ":" +
                                          std::to_string(error.source().begin.column) + ": " +
                                          std::string(error.description()) +
                                          "; correct the file or fetch the data again");
  }
}

}  // namespace

Result<AgentRows> read_agent_database(std::string_view toml, std::string_view file) {
  return read_database<AgentRows>(toml, file);
}

Result<UserDatabase> read_user_database(std::string_view toml, std::string_view file) {
  return read_database<UserDatabase>(toml, file);
}

}  // namespace unmask::world::telecom
