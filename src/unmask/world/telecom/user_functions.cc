#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/world/json_dump.h"
#include "unmask/world/outcome.h"
#include "unmask/world/python_text.h"
#include "unmask/world/telecom/app_permission.h"
#include "unmask/world/telecom/method.h"
#include "unmask/world/telecom/named_enum.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/telecom/python_errors.h"
#include "unmask/world/telecom/update_database.h"
#include "unmask/world/telecom/user_methods.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {
namespace {

std::string now(std::string_view what, bool on) {
  return std::string(what) + (on ? " is now ON." : " is now OFF.");
}

/// Toggles once, and again if that did not lead to the wanted state, as the original does: what is
/// already so goes there and back, with all side effects.
Outcome<void> toggle_until(UserState& state, Outcome<void> (*toggle)(UserState&),
                           bool Phone::* setting, bool wanted) {
  Outcome<void> toggled = toggle(state);
  if (toggled && state.database.device.*setting != wanted) {
    toggled = toggle(state);
  }
  return toggled;
}

Outcome<Reply> text_after(const Outcome<void>& change, std::string text) {
  if (!change) {
    return raised_by(change);
  }
  return text_reply(std::move(text));
}

Outcome<Reply> set_user_info(const UserCall& call) {
  call.state.database.surroundings.name = call.argument(0);
  call.state.database.surroundings.phone_number = call.argument(1);
  return null_reply();
}

Outcome<Reply> set_user_location(const UserCall& call) {
  call.state.database.surroundings.is_abroad = call.argument(0);
  return null_reply();
}

template <bool on>
Outcome<Reply> turn_airplane_mode(const UserCall& call) {
  return text_after(toggle_until(call.state, toggle_airplane_mode, &Phone::airplane_mode, on),
                    now("Airplane Mode", on));
}

Outcome<Reply> unseat_sim_card(const UserCall& call) {
  call.state.database.device.sim_card_missing = true;
  return text_after(search_network(call.state.database), "SIM card un-seated successfully.");
}

Outcome<Reply> lock_sim_card(const UserCall& call) {
  Phone& phone = call.state.database.device;
  const Value& mode = call.argument(0);
  const std::string* text = mode.string();
  if (text != nullptr && *text == "pin") {
    phone.sim_card_status = SimStatus::locked_pin;
  } else if (text != nullptr && *text == "puk") {
    phone.sim_card_status = SimStatus::locked_puk;
  }
  return text_after(search_network(call.state.database),
                    "SIM card locked successfully in " + python_str(mode) + " mode.");
}

Outcome<Reply> turn_data_on(const UserCall& call) {
  call.state.database.device.data_enabled = true;
  return text_reply("Data connection restored.");
}

Outcome<Reply> turn_data_off(const UserCall& call) {
  return text_after(toggle_until(call.state, toggle_data, &Phone::data_enabled, false),
                    "Data connection broken.");
}

template <bool on>
Outcome<Reply> turn_roaming(const UserCall& call) {
  return text_after(toggle_until(call.state, toggle_roaming, &Phone::roaming_enabled, on),
                    now("Data Roaming", on));
}

template <bool on>
Outcome<Reply> turn_data_saver_mode(const UserCall& call) {
  call.state.database.device.data_saver_mode = on;
  return text_reply(now("Data Saver Mode", on));
}

Outcome<Reply> break_apn_settings(const UserCall& call) {
  const Outcome<ApnSettings*> apn = apn_settings(call.state.database.device, "apn_name");
  if (!apn) {
    return raised_by(apn);
  }
  (*apn)->apn_name = ApnName::broken;
  return text_after(search_network(call.state.database),
                    "APN settings broken. Please call reset_apn_settings() to fix.");
}

Outcome<Reply> break_apn_mms_setting(const UserCall& call) {
  const Outcome<ApnSettings*> apn = apn_settings(call.state.database.device, "mmsc_url");
  if (!apn) {
    return raised_by(apn);
  }
  (*apn)->mmsc_url.reset();
  return text_reply("APN MMS setting broken. Please call reset_apn_settings() to fix.");
}

Outcome<Reply> set_wifi_calling(const UserCall& call) {
  Phone& phone = call.state.database.device;
  const Value& enabled = call.argument(0);
  if (!python_equal(Value(phone.wifi_calling_enabled), enabled)) {
    phone.wifi_calling_enabled = !phone.wifi_calling_enabled;
  }
  std::string text = now("Wi-Fi Calling", python_truth(enabled));
  const Value* over_wifi = call.arguments.find(1);
  if (over_wifi != nullptr && !over_wifi->is_null()) {
    phone.wifi_calling_mms_over_wifi = *over_wifi;
    text += '\n' + now("MMS over Wi-Fi", python_truth(*over_wifi));
  }
  return text_reply(std::move(text));
}

Outcome<Reply> break_vpn(const UserCall& call) {
  Phone& phone = call.state.database.device;
  connect_vpn(call.state);
  if (!phone.vpn_details) {
    return raise_no_attribute(Value(), "server_performance");
  }
  phone.vpn_details->server_performance = PerformanceLevel::poor;
  if (call.state.vpn_server.aliased_by_phone) {
    call.state.vpn_server.details.server_performance = PerformanceLevel::poor;
  }
  return text_reply("VPN connection broken.");
}

Outcome<Reply> remove_app_permission(const UserCall& call) {
  Phone& phone = call.state.database.device;
  const Outcome<InstalledApp*> app = app_named(phone, call.argument(0));
  if (!app) {
    return raised_by(app);
  }
  const std::string* permission_text = call.argument(1).string();
  if (permission_text == nullptr) {
    return raise_no_attribute(call.argument(1), "lower");
  }
  const std::string name = python_str(call.argument(0));
  const std::string permission = python_lower(*permission_text);
  const AppPermission* known = permission_named(permission);
  std::string text;
  if (*app == nullptr) {
    text = "App '" + name + "' not found. Cannot remove permission.";
  } else if (known == nullptr) {
    text = "Permission '" + permission + "' not tracked for app '" + name + "'.";
  } else {
    (*app)->status.permissions.*known->member = false;
    text = "Permission '" + permission + "' removed from app '" + name + "'.";
  }
  std::string json = *app != nullptr && known != nullptr ? "[true, " : "[false, ";
  append_json_string(json, text);
  json += ']';
  return json_reply(std::move(json));
}

Outcome<Reply> simulate_network_search(const UserCall& call) {
  const Outcome<void> searched = search_network(call.state.database);
  if (!searched) {
    return raised_by(searched);
  }
  return null_reply();
}

Outcome<Reply> update_db(const UserCall& call) {
  Outcome<UserDatabase> database = updated(call.state.database, call.argument(0));
  if (!database) {
    return raised_by(database);
  }
  call.state.database = *std::move(database);
  call.state.vpn_server.aliased_by_phone = false;
  return null_reply();
}

Outcome<Reply> assert_airplane_mode_status(const UserCall& call) {
  return truth_reply(
      python_equal(Value(call.state.database.device.airplane_mode), call.argument(0)));
}

Outcome<Reply> assert_service_status(const UserCall& call) {
  const Value& expected = call.argument(0);
  const std::string* text = expected.string();
  const std::optional<NetworkStatus> status =
      text == nullptr ? std::nullopt : enum_of<NetworkStatus>(*text);
  if (!status) {
    return raise_value_error(python_repr(expected) + " is not a valid NetworkStatus");
  }
  return truth_reply(call.state.database.device.network_connection_status == *status);
}

Outcome<Reply> assert_mobile_data_status(const UserCall& call) {
  return truth_reply(python_equal(Value(mobile_data_works(call.state.database)), call.argument(0)));
}

Outcome<Reply> assert_mobile_roaming_status(const UserCall& call) {
  return truth_reply(
      python_equal(Value(call.state.database.device.roaming_enabled), call.argument(0)));
}

Outcome<Reply> assert_mobile_data_saver_mode_status(const UserCall& call) {
  return truth_reply(
      python_equal(Value(call.state.database.device.data_saver_mode), call.argument(0)));
}

std::string_view speed_class(const std::optional<Speed>& speed) {
  return speed ? speed->description : "No Connection";
}

Outcome<Reply> assert_internet_speed(const UserCall& call) {
  const Value& expected_speed = call.argument(0);
  const Value* expected_class = call.arguments.find(1);
  if (!expected_speed.is_number()) {
    return raise_not_comparable(">=", "float", type_name(expected_speed));
  }
  const std::optional<Speed> speed = measured_speed(call.state.database);
  const Value mbps(speed ? speed->mbps : 0.0);
  const bool fast_enough = python_less_equal(expected_speed, mbps);
  if (!fast_enough || expected_class == nullptr || expected_class->is_null()) {
    return truth_reply(fast_enough);
  }
  const std::string* text = expected_class->string();
  if (text == nullptr) {
    return raise_no_attribute(*expected_class, "lower");
  }
  return truth_reply(python_lower(speed_class(speed)) == python_lower(*text));
}

Outcome<Reply> assert_internet_not_excellent(const UserCall& call) {
  return truth_reply(speed_class(measured_speed(call.state.database)) != "Excellent");
}

Outcome<Reply> assert_can_send_mms(const UserCall& call) {
  const Outcome<bool> can = can_send_mms(call.state.database);
  if (!can) {
    return raised_by(can);
  }
  return truth_reply(python_equal(Value(*can), call.argument(0)));
}

Outcome<Reply> assert_mobile_data_usage_exceeded(const UserCall& call) {
  return truth_reply(python_equal(
      Value(call.state.database.surroundings.mobile_data_usage_exceeded), call.argument(0)));
}

}  // namespace

std::span<const UserMethod> user_functions() {
  using enum ToolKind;
  static const std::vector<UserMethod> kFunctions{
      {"set_user_info", function, {"name", "phone_number"}, set_user_info, {}},
      {"set_user_location", function, {"abroad"}, set_user_location, {}},
      {"turn_airplane_mode_on", function, {}, turn_airplane_mode<true>, {}},
      {"turn_airplane_mode_off", function, {}, turn_airplane_mode<false>, {}},
      {"unseat_sim_card", function, {}, unseat_sim_card, {}},
      {"lock_sim_card", function, {"mode"}, lock_sim_card, {}},
      {"turn_data_on", function, {}, turn_data_on, {}},
      {"turn_data_off", function, {}, turn_data_off, {}},
      {"turn_roaming_on", function, {}, turn_roaming<true>, {}},
      {"turn_roaming_off", function, {}, turn_roaming<false>, {}},
      {"turn_data_saver_mode_on", function, {}, turn_data_saver_mode<true>, {}},
      {"turn_data_saver_mode_off", function, {}, turn_data_saver_mode<false>, {}},
      {"break_apn_settings", function, {}, break_apn_settings, {}},
      {"break_apn_mms_setting", function, {}, break_apn_mms_setting, {}},
      {"set_wifi_calling", function, {"enabled", "mms_over_wifi="}, set_wifi_calling, {}},
      {"break_vpn", function, {}, break_vpn, {}},
      {"remove_app_permission", function, {"app_name", "permission"}, remove_app_permission, {}},
      {"simulate_network_search", function, {}, simulate_network_search, {}},
      {"update_db", function, {"update_data"}, update_db, {}},
      {"assert_airplane_mode_status",
       function,
       {"expected_status"},
       assert_airplane_mode_status,
       {}},
      {"assert_service_status", function, {"expected_status"}, assert_service_status, {}},
      {"assert_mobile_data_status", function, {"expected_status"}, assert_mobile_data_status, {}},
      {"assert_mobile_roaming_status",
       function,
       {"expected_status"},
       assert_mobile_roaming_status,
       {}},
      {"assert_mobile_data_saver_mode_status",
       function,
       {"expected_status"},
       assert_mobile_data_saver_mode_status,
       {}},
      {"assert_internet_speed",
       function,
       {"expected_speed", "expected_desc="},
       assert_internet_speed,
       {}},
      {"assert_internet_not_excellent", function, {}, assert_internet_not_excellent, {}},
      {"assert_can_send_mms", function, {"expected_status"}, assert_can_send_mms, {}},
      {"assert_mobile_data_usage_exceeded",
       function,
       {"expected_status"},
       assert_mobile_data_usage_exceeded,
       {}},
  };
  return kFunctions;
}

}  // namespace unmask::world::telecom
