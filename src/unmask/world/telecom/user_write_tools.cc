#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/world/outcome.h"
#include "unmask/world/python_number.h"
#include "unmask/world/python_text.h"
#include "unmask/world/telecom/app_permission.h"
#include "unmask/world/telecom/method.h"
#include "unmask/world/telecom/named_enum.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/telecom/python_errors.h"
#include "unmask/world/telecom/record.h"
#include "unmask/world/telecom/records.h"
#include "unmask/world/telecom/user_methods.h"
#include "unmask/world/telecom/user_tools.h"
#include "unmask/world/text_buffer.h"
#include "unmask/world/validation.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom::user {
namespace {

/// The text and, under it, the status bar after the change.
Outcome<Reply> with_status_bar(const UserCall& call, std::initializer_list<std::string_view> text) {
  return text_reply(built_text([&](TextBuffer& out) {
    for (const std::string_view piece : text) {
      out += piece;
    }
    out += "\nStatus Bar: ";
    append_status_bar(out, call.state.database.device);
  }));
}

Outcome<Reply> now_on_or_off(const UserCall& call, std::string_view what, bool on) {
  return with_status_bar(call, {what, on ? " is now ON." : " is now OFF."});
}

}  // namespace

Outcome<Reply> toggle_airplane_mode(const UserCall& call) {
  const Outcome<void> toggled = telecom::toggle_airplane_mode(call.state);
  if (!toggled) {
    return raised_by(toggled);
  }
  return now_on_or_off(call, "Airplane Mode", call.state.database.device.airplane_mode);
}

Outcome<Reply> reseat_sim_card(const UserCall& call) {
  Phone& phone = call.state.database.device;
  phone.sim_card_missing = false;
  if (const Outcome<void> searched = search_network(call.state.database); !searched) {
    return raised_by(searched);
  }
  if (phone.sim_card_status == SimStatus::missing) {
    return raise("AssertionError", "");
  }
  return with_status_bar(call, {"SIM card re-seated successfully."});
}

Outcome<Reply> toggle_data(const UserCall& call) {
  const Outcome<void> toggled = telecom::toggle_data(call.state);
  if (!toggled) {
    return raised_by(toggled);
  }
  return now_on_or_off(call, "Mobile Data", call.state.database.device.data_enabled);
}

Outcome<Reply> toggle_roaming(const UserCall& call) {
  const Outcome<void> toggled = telecom::toggle_roaming(call.state);
  if (!toggled) {
    return raised_by(toggled);
  }
  return now_on_or_off(call, "Data Roaming", call.state.database.device.roaming_enabled);
}

Outcome<Reply> toggle_data_saver_mode(const UserCall& call) {
  bool& saver = call.state.database.device.data_saver_mode;
  saver = !saver;
  return now_on_or_off(call, "Data Saver Mode", saver);
}

Outcome<Reply> set_network_mode_preference(const UserCall& call) {
  Phone& phone = call.state.database.device;
  const Value& mode = call.argument(0);
  std::optional<NetworkModePreference> preference;
  if (const std::string* text = mode.string()) {
    preference = enum_of<NetworkModePreference>(*text);
    if (preference) {
      phone.network_mode_preference = *preference;
    }
  } else {
    phone.network_mode_preference = mode;
  }
  if (preference || !mode.is_string()) {
    if (const Outcome<void> searched = search_network(call.state.database); !searched) {
      return raised_by(searched);
    }
  }
  if (preference) {
    return with_status_bar(call, {"Preferred Network Mode set to: ", text_of(*preference)});
  }
  if (!mode.is_string() && !mode.is_null()) {
    return raise_no_attribute(mode, "value");
  }
  std::string text = "Failed to set network mode: '" + python_str(mode) +
                     "' is not a valid option. Please use one of: ";
  bool first = true;
  for (const std::string_view option : kEnumTexts<NetworkModePreference>) {
    text += first ? "" : ", ";
    text += option;
    first = false;
  }
  return with_status_bar(call, {text});
}

Outcome<Reply> set_apn_settings(const UserCall& call) {
  Phone& phone = call.state.database.device;
  const Value& given = call.argument(0);
  if (given.object() == nullptr) {
    phone.active_apn_settings = given;
    return raise_no_attribute(given, "apn_name");
  }
  Validation validation(Record<ApnSettings>::kClass);
  auto settings = record_of<ApnSettings>(given, validation);
  if (!validation.passed()) {
    return raise("ValidationError", validation.text());
  }
  const std::string name(text_of(settings.apn_name));
  phone.active_apn_settings = std::move(settings);
  if (const Outcome<void> searched = search_network(call.state.database); !searched) {
    return raised_by(searched);
  }
  return with_status_bar(call, {"APN settings set to: ", name});
}

Outcome<Reply> reset_apn_settings(const UserCall& call) {
  const Outcome<ApnSettings*> apn = apn_settings(call.state.database.device, "reset_at_reboot");
  if (!apn) {
    return raised_by(apn);
  }
  (*apn)->reset_at_reboot = true;
  if (const Outcome<void> searched = search_network(call.state.database); !searched) {
    return raised_by(searched);
  }
  return with_status_bar(call, {"APN settings will reset at reboot."});
}

Outcome<Reply> toggle_wifi(const UserCall& call) {
  Phone& phone = call.state.database.device;
  if (phone.airplane_mode) {
    return with_status_bar(call, {"Cannot change Wi-Fi settings while Airplane Mode is ON."});
  }
  phone.wifi_enabled = !phone.wifi_enabled;
  if (!phone.wifi_enabled) {
    phone.wifi_connected = false;
    phone.wifi_ssid.reset();
    phone.wifi_signal_strength = SignalStrength::none;
  }
  return now_on_or_off(call, "Wi-Fi", phone.wifi_enabled);
}

Outcome<Reply> toggle_wifi_calling(const UserCall& call) {
  bool& calling = call.state.database.device.wifi_calling_enabled;
  calling = !calling;
  return now_on_or_off(call, "Wi-Fi Calling", calling);
}

Outcome<Reply> connect_vpn(const UserCall& call) {
  if (!telecom::connect_vpn(call.state)) {
    return text_reply("VPN already connected.");
  }
  return with_status_bar(call, {"VPN connected successfully."});
}

Outcome<Reply> disconnect_vpn(const UserCall& call) {
  Phone& phone = call.state.database.device;
  if (!phone.vpn_connected) {
    return with_status_bar(call, {"No active VPN connection to disconnect."});
  }
  phone.vpn_connected = false;
  phone.vpn_details.reset();
  return with_status_bar(call, {"VPN disconnected successfully."});
}

Outcome<Reply> grant_app_permission(const UserCall& call) {
  Phone& phone = call.state.database.device;
  const Outcome<InstalledApp*> app = app_named(phone, call.argument(0));
  if (!app) {
    return raised_by(app);
  }
  const std::string* permission_text = call.argument(1).string();
  if (permission_text == nullptr) {
    return raise_no_attribute(call.argument(1), "lower");
  }
  if (*app == nullptr) {
    return with_status_bar(call, {"Error. App '", python_str(call.argument(0)),
                                  "' not found. Cannot grant permission."});
  }
  const std::string& name = (*app)->key;
  const std::string permission = python_lower(*permission_text);
  const AppPermission* known = permission_named(permission);
  if (known == nullptr) {
    return with_status_bar(call,
                           {"Error. Permission '", permission, "' not tracked for app '", name,
                            "', available permissions: ['sms', 'storage', 'phone', 'network']"});
  }
  (*app)->status.permissions.*known->member = true;
  return with_status_bar(call,
                         {"Success. Permission '", permission, "' granted to app '", name, "'."});
}

Outcome<Reply> reboot_device(const UserCall& call) {
  Phone& phone = call.state.database.device;
  const Outcome<ApnSettings*> apn = apn_settings(phone, "reset_at_reboot");
  if (!apn) {
    return raised_by(apn);
  }
  std::string text;
  if ((*apn)->reset_at_reboot) {
    **apn = ApnSettings{};
    text = "Resetting APN settings...\n";
  }
  text += "Restarting network services...";
  phone.network_connection_status = NetworkStatus::searching;
  if (const Outcome<void> searched = search_network(call.state.database); !searched) {
    return raised_by(searched);
  }
  return with_status_bar(call, {text});
}

Outcome<Reply> make_payment(const UserCall& call) {
  std::optional<PaymentRequest>& request = call.state.database.surroundings.payment_request;
  if (!request) {
    return text_reply("You do not have a payment request.");
  }
  request->paid = true;
  return text_reply("Payment of " + python_float(request->amount_due) +
                    " USD has been made for bill " + request->bill_id + ".");
}

}  // namespace unmask::world::telecom::user
