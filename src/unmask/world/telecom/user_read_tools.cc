#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "unmask/base/check.h"
#include "unmask/world/outcome.h"
#include "unmask/world/python_number.h"
#include "unmask/world/telecom/app_permission.h"
#include "unmask/world/telecom/method.h"
#include "unmask/world/telecom/named_enum.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/telecom/python_errors.h"
#include "unmask/world/telecom/user_methods.h"
#include "unmask/world/telecom/user_tools.h"
#include "unmask/world/text_buffer.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom::user {
namespace {

std::string_view on_off(bool on) { return on ? "ON" : "OFF"; }
std::string_view yes_no(bool yes) { return yes ? "Yes" : "No"; }

std::string_view advice_for(std::string_view speed_class) {
  struct Advice {
    std::string_view speed_class;
    std::string_view text;
  };
  constexpr std::array<Advice, 5> kAdvice{{
      {"Very Poor", "Connection is very slow. Basic web browsing might be difficult."},
      {"Poor", "Connection is slow. Web browsing may be sluggish, streaming difficult."},
      {"Fair", "Connection is okay for web browsing and some standard definition streaming."},
      {"Good", "Connection is good for most activities, including HD streaming."},
      {"Excellent", "Connection is very fast."},
  }};
  for (const Advice& advice : kAdvice) {
    if (advice.speed_class == speed_class) {
      return advice.text;
    }
  }
  UNMASK_CHECK(false);
  return {};
}

std::string repr_or_none(const std::optional<std::string>& text) {
  return text ? python_repr(std::string_view(*text)) : "None";
}

std::string upper(std::string_view text) {
  std::string upper_text(text);
  for (char& letter : upper_text) {
    letter = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  }
  return upper_text;
}

}  // namespace

Outcome<Reply> check_status_bar(const UserCall& call) {
  return text_reply(built_text([&call](TextBuffer& out) {
    out += "Status Bar: ";
    append_status_bar(out, call.state.database.device);
  }));
}

Outcome<Reply> check_network_status(const UserCall& call) {
  const Phone& phone = call.state.database.device;
  return text_reply(built_text([&phone](TextBuffer& text) {
    text += "Airplane Mode: ";
    text += on_off(phone.airplane_mode);
    text += "\nSIM Card Status: ";
    text += text_of(effective_sim_status(phone));
    text += "\nCellular Connection: ";
    text += text_of(phone.network_connection_status);
    text += "\nCellular Signal: ";
    text += text_of(phone.network_signal_strength);
    text += "\nCellular Network Type: ";
    text += text_of(phone.network_technology_connected);
    text += "\nMobile Data Enabled: ";
    text += yes_no(phone.data_enabled);
    text += "\nData Roaming Enabled: ";
    text += yes_no(phone.roaming_enabled);
    text += "\nWi-Fi Radio: ";
    text += on_off(phone.wifi_enabled);
    text += "\nWi-Fi Connected: ";
    text += yes_no(phone.wifi_connected);
    if (phone.wifi_connected) {
      text += "\nConnected Wi-Fi Network: ";
      text += phone.wifi_ssid ? std::string_view(*phone.wifi_ssid) : "None";
    }
  }));
}

Outcome<Reply> check_network_mode_preference(const UserCall& call) {
  const auto& preference = call.state.database.device.network_mode_preference;
  if (const auto* other = std::get_if<Value>(&preference)) {
    return raise_no_attribute(*other, "value");
  }
  return text_reply("Network Mode Preference: " +
                    std::string(text_of(std::get<NetworkModePreference>(preference))));
}

Outcome<Reply> run_speed_test(const UserCall& call) {
  const std::optional<Speed> speed = measured_speed(call.state.database);
  if (!speed) {
    return text_reply("Speed test failed: No Connection.");
  }
  return text_reply(built_text([&speed](TextBuffer& text) {
    text += "Speed Test Result: ";
    append_two_decimals(text, speed->mbps);
    text += " Mbps (";
    text += speed->description;
    text += "). ";
    text += advice_for(speed->description);
  }));
}

Outcome<Reply> check_sim_status(const UserCall& call) {
  switch (effective_sim_status(call.state.database.device)) {
    case SimStatus::active:
      return text_reply("Your SIM card is active and working.");
    case SimStatus::missing:
      return text_reply("No SIM card detected in the phone.");
    case SimStatus::locked_pin:
      return text_reply("The SIM card is locked with a PIN code.");
    case SimStatus::locked_puk:
      return text_reply("The SIM card is locked with a PUK code.");
  }
  UNMASK_CHECK(false);
  return null_reply();
}

Outcome<Reply> check_data_restriction_status(const UserCall& call) {
  return text_reply(call.state.database.device.data_saver_mode
                        ? "Data Saver mode is ON (limits data usage)."
                        : "Data Saver mode is OFF.");
}

Outcome<Reply> check_apn_settings(const UserCall& call) {
  const Outcome<const ApnSettings*> apn =
      apn_settings(std::as_const(call.state.database.device), "model_copy");
  if (!apn) {
    return raised_by(apn);
  }
  const std::string url = (*apn)->mmsc_url.value_or("");
  return text_reply("Current APN Name: " + std::string(text_of((*apn)->apn_name)) +
                    "\nMMSC URL (for picture messages): " + (url.empty() ? "Not Set" : url) +
                    "\n(These are technical settings, usually best left unchanged.)");
}

Outcome<Reply> check_wifi_status(const UserCall& call) {
  const Phone& phone = call.state.database.device;
  if (!phone.wifi_enabled) {
    return text_reply("Wi-Fi is turned OFF.");
  }
  if (!phone.wifi_connected) {
    return text_reply("Wi-Fi is ON but not connected to any network.");
  }
  return text_reply("Wi-Fi is ON and connected to '" + phone.wifi_ssid.value_or("None") +
                    "'. Signal strength: " + std::string(text_of(phone.wifi_signal_strength)) +
                    ".");
}

Outcome<Reply> check_wifi_calling_status(const UserCall& call) {
  return text_reply("Wi-Fi Calling is currently turned " +
                    std::string(on_off(call.state.database.device.wifi_calling_enabled)) + ".");
}

Outcome<Reply> check_vpn_status(const UserCall& call) {
  const Phone& phone = call.state.database.device;
  if (phone.vpn_connected && phone.vpn_details) {
    const std::string_view level = text_of(phone.vpn_details->server_performance);
    return text_reply("VPN is ON and connected. Details: {'server_address': " +
                      repr_or_none(phone.vpn_details->server_address) +
                      ", 'protocol': " + repr_or_none(phone.vpn_details->protocol) +
                      ", 'server_performance': <PerformanceLevel." + upper(level) + ": '" +
                      std::string(level) + "'>}");
  }
  if (phone.vpn_connected) {
    return text_reply("VPN is ON and connected (no specific details available).");
  }
  return text_reply(phone.vpn_enabled_setting
                        ? "VPN is turned ON in settings, but currently not connected."
                        : "VPN is turned OFF.");
}

Outcome<Reply> check_installed_apps(const UserCall& call) {
  std::string text = "The following apps are installed on the phone: ";
  bool first = true;
  for (const InstalledApp& app : call.state.database.device.app_statuses) {
    text += first ? "" : ", ";
    text += app.key;
    first = false;
  }
  return text_reply(std::move(text));
}

Outcome<Reply> check_app_status(const UserCall& call) {
  const Outcome<const InstalledApp*> app = app_named(call.state.database.device, call.argument(0));
  if (!app) {
    return raised_by(app);
  }
  const std::string name = python_str(call.argument(0));
  if (*app == nullptr) {
    return text_reply("App '" + name + "' not found on this phone.");
  }
  return text_reply(built_text([&](TextBuffer& text) {
    text += "Status for App: ";
    text += std::string_view(name);
    bool any = false;
    for (const AppPermission& permission : kAppPermissions) {
      if ((*app)->status.permissions.*permission.member) {
        text += std::string_view(any ? "\n   - " : "\n - Permissions Granted:\n   - ");
        text += permission.name;
        any = true;
      }
    }
    if (!any) {
      text += "\n - Permissions: None granted.";
    }
  }));
}

Outcome<Reply> check_app_permissions(const UserCall& call) {
  const Outcome<const InstalledApp*> app = app_named(call.state.database.device, call.argument(0));
  if (!app) {
    return raised_by(app);
  }
  const std::string name = python_str(call.argument(0));
  if (*app == nullptr) {
    return text_reply("App '" + name + "' not found on this phone.");
  }
  std::string granted;
  for (const AppPermission& permission : kAppPermissions) {
    if ((*app)->status.permissions.*permission.member) {
      granted += granted.empty() ? "" : ", ";
      granted += permission.name;
    }
  }
  return text_reply(granted.empty() ? "App '" + name + "' currently has no permissions granted."
                                    : "App '" + name + "' has permission for: " + granted + ".");
}

Outcome<Reply> check_mms(const UserCall& call) {
  const Outcome<bool> can = can_send_mms(call.state.database);
  if (!can) {
    return raised_by(can);
  }
  return text_reply(*can ? "Your messaging app can send MMS messages."
                         : "Your messaging app cannot send MMS messages.");
}

Outcome<Reply> check_payment_request(const UserCall& call) {
  const auto& request = call.state.database.surroundings.payment_request;
  if (!request) {
    return text_reply("No payment request has been made.");
  }
  return text_reply("You have a payment request for bill " + request->bill_id + " of " +
                    python_float(request->amount_due) + " USD.");
}

}  // namespace unmask::world::telecom::user
