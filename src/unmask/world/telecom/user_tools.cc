#include "unmask/world/telecom/user_tools.h"

#include <span>
#include <string_view>
#include <vector>

#include "unmask/world/telecom/method.h"
#include "unmask/world/telecom/user_methods.h"
#include "unmask/world/tool.h"

namespace unmask::world::telecom {
namespace {

constexpr std::string_view kModeSchema = R"({
  "$defs": {"NetworkModePreference": {
    "enum": ["4g_5g_preferred", "4g_only", "3g_only", "2g_only"],
    "title": "NetworkModePreference", "type": "string"}},
  "properties": {"mode": {
    "anyOf": [{"$ref": "#/$defs/NetworkModePreference"}, {"type": "string"}], "title": "Mode"}},
  "required": ["mode"], "title": "parameters", "type": "object"})";

constexpr std::string_view kApnSchema = R"({
  "$defs": {
    "APNNames": {"enum": ["internet", "broken"], "title": "APNNames", "type": "string"},
    "APNSettings": {"additionalProperties": false, "properties": {
      "apn_name": {"$ref": "#/$defs/APNNames", "default": "internet"},
      "reset_at_reboot": {"default": false, "title": "Reset At Reboot", "type": "boolean"},
      "mms_apn": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": "mms",
        "title": "Mms Apn"},
      "mmsc_url": {"anyOf": [{"type": "string"}, {"type": "null"}],
        "default": "http://mms.carrier.com/mms/wapenc", "title": "Mmsc Url"},
      "mms_proxy": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null,
        "title": "Mms Proxy"},
      "mms_port": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null,
        "title": "Mms Port"}},
      "title": "APNSettings", "type": "object"}},
  "properties": {"apn_settings": {
    "anyOf": [{"$ref": "#/$defs/APNSettings"}, {"additionalProperties": true, "type": "object"}],
    "title": "Apn Settings"}},
  "required": ["apn_settings"], "title": "parameters", "type": "object"})";

}  // namespace

std::span<const UserMethod> user_tools() {
  using enum ToolKind;
  static const std::vector<UserMethod> kTools{
      {"check_status_bar", read, {}, user::check_status_bar, {}},
      {"check_network_status", read, {}, user::check_network_status, {}},
      {"check_network_mode_preference", read, {}, user::check_network_mode_preference, {}},
      {"set_network_mode_preference",
       write,
       {"mode"},
       user::set_network_mode_preference,
       kModeSchema},
      {"run_speed_test", read, {}, user::run_speed_test, {}},
      {"toggle_airplane_mode", write, {}, user::toggle_airplane_mode, {}},
      {"check_sim_status", read, {}, user::check_sim_status, {}},
      {"reseat_sim_card", write, {}, user::reseat_sim_card, {}},
      {"toggle_data", write, {}, user::toggle_data, {}},
      {"toggle_roaming", write, {}, user::toggle_roaming, {}},
      {"check_data_restriction_status", read, {}, user::check_data_restriction_status, {}},
      {"toggle_data_saver_mode", write, {}, user::toggle_data_saver_mode, {}},
      {"check_apn_settings", read, {}, user::check_apn_settings, {}},
      {"set_apn_settings", write, {"apn_settings"}, user::set_apn_settings, kApnSchema},
      {"reset_apn_settings", write, {}, user::reset_apn_settings, {}},
      {"check_wifi_status", read, {}, user::check_wifi_status, {}},
      {"toggle_wifi", write, {}, user::toggle_wifi, {}},
      {"check_wifi_calling_status", read, {}, user::check_wifi_calling_status, {}},
      {"toggle_wifi_calling", write, {}, user::toggle_wifi_calling, {}},
      {"check_vpn_status", read, {}, user::check_vpn_status, {}},
      {"connect_vpn", write, {}, user::connect_vpn, {}},
      {"disconnect_vpn", write, {}, user::disconnect_vpn, {}},
      {"check_installed_apps", read, {}, user::check_installed_apps, {}},
      {"check_app_status", read, {"app_name"}, user::check_app_status, {}},
      {"check_app_permissions", read, {"app_name"}, user::check_app_permissions, {}},
      {"grant_app_permission", write, {"app_name", "permission"}, user::grant_app_permission, {}},
      {"can_send_mms", read, {}, user::check_mms, {}},
      {"reboot_device", write, {}, user::reboot_device, {}},
      {"check_payment_request", read, {}, user::check_payment_request, {}},
      {"make_payment", write, {}, user::make_payment, {}},
  };
  return kTools;
}

}  // namespace unmask::world::telecom
