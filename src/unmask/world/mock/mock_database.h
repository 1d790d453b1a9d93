#pragma once

#include <string_view>

#include "unmask/world/outcome.h"
#include "unmask/world/validation.h"
#include "unmask/world/value.h"

namespace unmask::world::mock {

// Each gives the value with every member in its place and defaults filled in; what is wrong with it
// goes to `validation`.

[[nodiscard]] Value task_from(const Value& value, const Place& place, Validation& validation);
[[nodiscard]] Value notification_from(const Value& value, const Place& place,
                                      Validation& validation);
/// `{tasks, users}`.
[[nodiscard]] Value agent_database_from(const Value& value, Validation& validation);
/// `{notifications}`.
[[nodiscard]] Value user_database_from(const Value& value, Validation& validation);

inline constexpr std::string_view kAgentClass = "MockDB";
inline constexpr std::string_view kUserClass = "MockUserDB";

}  // namespace unmask::world::mock
