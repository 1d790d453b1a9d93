#pragma once

#include "unmask/world/outcome.h"
#include "unmask/world/telecom/method.h"
#include "unmask/world/telecom/user_methods.h"

// The user's tools, each named as a model calls it (`can_send_mms` is check_mms here).

namespace unmask::world::telecom::user {

[[nodiscard]] Outcome<Reply> check_status_bar(const UserCall& call);
[[nodiscard]] Outcome<Reply> check_network_status(const UserCall& call);
[[nodiscard]] Outcome<Reply> check_network_mode_preference(const UserCall& call);
[[nodiscard]] Outcome<Reply> run_speed_test(const UserCall& call);
[[nodiscard]] Outcome<Reply> check_sim_status(const UserCall& call);
[[nodiscard]] Outcome<Reply> check_data_restriction_status(const UserCall& call);
[[nodiscard]] Outcome<Reply> check_apn_settings(const UserCall& call);
[[nodiscard]] Outcome<Reply> check_wifi_status(const UserCall& call);
[[nodiscard]] Outcome<Reply> check_wifi_calling_status(const UserCall& call);
[[nodiscard]] Outcome<Reply> check_vpn_status(const UserCall& call);
[[nodiscard]] Outcome<Reply> check_installed_apps(const UserCall& call);
[[nodiscard]] Outcome<Reply> check_app_status(const UserCall& call);
[[nodiscard]] Outcome<Reply> check_app_permissions(const UserCall& call);
[[nodiscard]] Outcome<Reply> check_mms(const UserCall& call);
[[nodiscard]] Outcome<Reply> check_payment_request(const UserCall& call);

[[nodiscard]] Outcome<Reply> toggle_airplane_mode(const UserCall& call);
[[nodiscard]] Outcome<Reply> reseat_sim_card(const UserCall& call);
[[nodiscard]] Outcome<Reply> toggle_data(const UserCall& call);
[[nodiscard]] Outcome<Reply> toggle_roaming(const UserCall& call);
[[nodiscard]] Outcome<Reply> toggle_data_saver_mode(const UserCall& call);
[[nodiscard]] Outcome<Reply> set_network_mode_preference(const UserCall& call);
[[nodiscard]] Outcome<Reply> set_apn_settings(const UserCall& call);
[[nodiscard]] Outcome<Reply> reset_apn_settings(const UserCall& call);
[[nodiscard]] Outcome<Reply> toggle_wifi(const UserCall& call);
[[nodiscard]] Outcome<Reply> toggle_wifi_calling(const UserCall& call);
[[nodiscard]] Outcome<Reply> connect_vpn(const UserCall& call);
[[nodiscard]] Outcome<Reply> disconnect_vpn(const UserCall& call);
[[nodiscard]] Outcome<Reply> grant_app_permission(const UserCall& call);
[[nodiscard]] Outcome<Reply> reboot_device(const UserCall& call);
[[nodiscard]] Outcome<Reply> make_payment(const UserCall& call);

}  // namespace unmask::world::telecom::user
