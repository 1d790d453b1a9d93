#pragma once

#include <span>

#include "unmask/world/outcome.h"
#include "unmask/world/telecom/method.h"
#include "unmask/world/telecom/phone.h"

namespace unmask::world::telecom {

/// What the user's side of an environment keeps.
struct UserState {
  UserDatabase database;
  VpnServer vpn_server;
};

using UserCall = MethodCall<UserState>;
using UserMethod = Method<UserState>;

/// The user's tools, in the order in which a model is offered them.
[[nodiscard]] std::span<const UserMethod> user_tools();

/// What tasks may call on the user's side besides tools: initialisation and assertions.
[[nodiscard]] std::span<const UserMethod> user_functions();

// What both share.

[[nodiscard]] Outcome<void> toggle_airplane_mode(UserState& state);
[[nodiscard]] Outcome<void> toggle_data(UserState& state);
[[nodiscard]] Outcome<void> toggle_roaming(UserState& state);
/// Connects to the server unless a VPN is connected; whether it did.
bool connect_vpn(UserState& state);

}  // namespace unmask::world::telecom
