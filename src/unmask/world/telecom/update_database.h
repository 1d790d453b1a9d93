#pragma once

#include "unmask/world/outcome.h"
#include "unmask/world/telecom/agent_database.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {

// The database with `update` merged into its dump: objects merge recursively, anything else is
// replaced. Raises pydantic's ValidationError for a result that is no database; where a date is
// wrong its wording differs from pydantic's.

[[nodiscard]] Outcome<AgentRows> updated(const AgentRows& rows, const Value& update);
[[nodiscard]] Outcome<UserDatabase> updated(const UserDatabase& user, const Value& update);

}  // namespace unmask::world::telecom
