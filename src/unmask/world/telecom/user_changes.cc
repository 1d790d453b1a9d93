#include "unmask/world/outcome.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/telecom/user_methods.h"

namespace unmask::world::telecom {

Outcome<void> toggle_airplane_mode(UserState& state) {
  Phone& phone = state.database.device;
  phone.airplane_mode = !phone.airplane_mode;
  if (!phone.airplane_mode) {
    phone.network_connection_status = NetworkStatus::searching;
  }
  // The original drops the Wi-Fi connection in both directions; off only if the radio is on.
  if (phone.airplane_mode || phone.wifi_enabled) {
    phone.wifi_connected = false;
    phone.wifi_ssid.reset();
    phone.wifi_signal_strength = SignalStrength::none;
  }
  if (phone.airplane_mode && phone.vpn_connected) {
    phone.vpn_connected = false;
    phone.vpn_details.reset();
  }
  return search_network(state.database);
}

Outcome<void> toggle_data(UserState& state) {
  Phone& phone = state.database.device;
  phone.data_enabled = !phone.data_enabled;
  return search_network(state.database);
}

Outcome<void> toggle_roaming(UserState& state) {
  Phone& phone = state.database.device;
  phone.roaming_enabled = !phone.roaming_enabled;
  return search_network(state.database);
}

bool connect_vpn(UserState& state) {
  Phone& phone = state.database.device;
  if (phone.vpn_connected) {
    return false;
  }
  phone.vpn_connected = true;
  phone.vpn_details = state.vpn_server.details;
  state.vpn_server.aliased_by_phone = true;
  return true;
}

}  // namespace unmask::world::telecom
