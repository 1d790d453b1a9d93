#include "unmask/world/telecom/app_permission.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "unmask/world/outcome.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {

const AppPermission* permission_named(std::string_view name) {
  const auto* found = std::ranges::find(kAppPermissions, name, &AppPermission::name);
  return found == kAppPermissions.end() ? nullptr : found;
}

Outcome<const InstalledApp*> app_named(const Phone& phone, const Value& key) {
  if (key.list() != nullptr || key.object() != nullptr) {
    return raise("TypeError", "unhashable type: '" + std::string(type_name(key)) + "'");
  }
  const std::string* name = key.string();
  return name == nullptr ? nullptr : find_app(phone, *name);
}

}  // namespace unmask::world::telecom
