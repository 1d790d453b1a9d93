#include "unmask/world/telecom/update_database.h"

#include "unmask/world/merge.h"
#include "unmask/world/outcome.h"
#include "unmask/world/telecom/agent_database.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/telecom/record.h"
#include "unmask/world/telecom/records.h"
#include "unmask/world/validation.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {
namespace {

template <typename Database>
Outcome<Database> merged(const Database& database, const Value& update) {
  Value dump = value_of(database);
  if (const Object* members = update.object()) {
    merge_objects(*dump.object(), *members);
  }
  Validation validation(Record<Database>::kClass);
  Database result = record_of<Database>(dump, validation);
  if (!validation.passed()) {
    return raise("ValidationError", validation.text());
  }
  return result;
}

}  // namespace

Outcome<AgentRows> updated(const AgentRows& rows, const Value& update) {
  return merged(rows, update);
}

Outcome<UserDatabase> updated(const UserDatabase& user, const Value& update) {
  return merged(user, update);
}

}  // namespace unmask::world::telecom
