#pragma once

#include <array>
#include <string_view>

#include "unmask/world/outcome.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {

/// A permission by the name that tools know it by.
struct AppPermission {
  std::string_view name;
  bool AppPermissions::* member;
};

inline constexpr std::array<AppPermission, 4> kAppPermissions{{
    {"sms", &AppPermissions::sms},
    {"storage", &AppPermissions::storage},
    {"phone", &AppPermissions::phone},
    {"network", &AppPermissions::network},
}};

/// Null if no permission has this name.
[[nodiscard]] const AppPermission* permission_named(std::string_view name);

/// The app under the name `key`; null if there is none. Raises TypeError for a list or dict, which
/// Python can't look up.
[[nodiscard]] Outcome<const InstalledApp*> app_named(const Phone& phone, const Value& key);
[[nodiscard]] Outcome<InstalledApp*> app_named(Phone& phone, const Value& key);

}  // namespace unmask::world::telecom
