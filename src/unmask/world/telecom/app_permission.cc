#include "unmask/world/telecom/app_permission.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/world/outcome.h"
#include "unmask/world/same_text.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {

const AppPermission* permission_named(std::string_view name) {
  for (const AppPermission& permission : kAppPermissions) {
    if (same_text(permission.name, name)) {
      return &permission;
    }
  }
  return nullptr;
}

Outcome<const InstalledApp*> app_named(const Phone& phone, const Value& key) {
  if (key.list() != nullptr || key.object() != nullptr) {
    return raise("TypeError", "unhashable type: '" + std::string(type_name(key)) + "'");
  }
  const std::string* name = key.string();
  return name == nullptr ? nullptr : find_app(phone, *name);
}

Outcome<InstalledApp*> app_named(Phone& phone, const Value& key) {
  const Outcome<const InstalledApp*> found = app_named(std::as_const(phone), key);
  if (!found) {
    return raised_by(found);
  }
  if (*found == nullptr) {
    return nullptr;
  }
  return &phone.app_statuses[static_cast<std::size_t>(*found - phone.app_statuses.data())];
}

}  // namespace unmask::world::telecom
