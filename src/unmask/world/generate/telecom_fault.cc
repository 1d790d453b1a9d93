#include "unmask/world/generate/telecom_fault.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/world/generate/task_draft.h"

namespace unmask::world::generated {
namespace {

constexpr std::array kAirplane = {Fault::airplane_mode_on};
constexpr std::array kLoose = {Fault::sim_card_loose};
constexpr std::array kLocked = {Fault::sim_pin_locked, Fault::sim_puk_locked};
constexpr std::array kRoaming = {Fault::abroad_phone_roaming_off, Fault::abroad_line_roaming_off,
                                 Fault::abroad_all_roaming_off};
constexpr std::array kDataSwitch = {Fault::data_switched_off};
constexpr std::array kDataSaver = {Fault::data_saver_on};
constexpr std::array kSlowNetwork = {Fault::only_2g, Fault::only_3g, Fault::only_4g};
constexpr std::array kOldNetwork = {Fault::only_2g};
constexpr std::array kVpn = {Fault::slow_vpn};
constexpr std::array kUsage = {Fault::data_used_up, Fault::refuel_limit_reached};
constexpr std::array kWifiCalling = {Fault::wifi_calling_on};
constexpr std::array kPermissions = {Fault::no_sms_permission, Fault::no_storage_permission,
                                     Fault::no_messaging_permissions};
constexpr std::array kSuspension = {Fault::bill_overdue, Fault::contract_over};
constexpr std::array kApn = {Fault::apn_broken};
constexpr std::array kPictureServer = {Fault::picture_server_missing};

constexpr std::array<FaultSet, 5> kServiceSets = {
    {{kAirplane}, {kLoose}, {kLocked}, {kSuspension}, {kApn}}};
constexpr std::array<FaultSet, 8> kDataSets = {{{kAirplane, false},
                                                {kLoose, false},
                                                {kRoaming},
                                                {kDataSwitch},
                                                {kDataSaver},
                                                {kSlowNetwork},
                                                {kVpn},
                                                {kUsage}}};
constexpr std::array<FaultSet, 9> kPictureSets = {{{kAirplane, false},
                                                   {kLoose, false},
                                                   {kRoaming, false},
                                                   {kDataSwitch, false},
                                                   {kUsage, false},
                                                   {kOldNetwork},
                                                   {kWifiCalling},
                                                   {kPermissions},
                                                   {kPictureServer}}};

/// Appends calls of one party.
class Calls {
 public:
  explicit Calls(std::vector<DraftCall>& calls) : calls_(calls) {}
  void agent(std::string name, std::vector<DraftArgument> arguments) {
    calls_.push_back({Party::agent, std::move(name), std::move(arguments)});
  }
  void user(std::string name, std::vector<DraftArgument> arguments = {}) {
    calls_.push_back({Party::user, std::move(name), std::move(arguments)});
  }

 private:
  std::vector<DraftCall>& calls_;
};

std::vector<DraftArgument> line_of(const FaultCase& about) {
  return {{"customer_id", about.customer_id}, {"line_id", about.line_id}};
}

std::vector<DraftArgument> line_and(const FaultCase& about, DraftArgument more) {
  std::vector<DraftArgument> arguments = line_of(about);
  arguments.push_back(std::move(more));
  return arguments;
}

std::vector<DraftArgument> permission(std::string name) {
  return {{"app_name", std::string("messaging")}, {"permission", std::move(name)}};
}

std::vector<DraftArgument> mode(std::string name) { return {{"mode", std::move(name)}}; }

void go_abroad(Calls& calls, const FaultCase& about, bool phone, bool line) {
  calls.user("set_user_location", {{"abroad", true}});
  calls.user(phone ? "turn_roaming_on" : "turn_roaming_off");
  calls.agent(line ? "enable_roaming" : "disable_roaming", line_of(about));
  calls.user("simulate_network_search");
}

void suspend(Calls& calls, const FaultCase& about, bool contract_ended) {
  calls.agent("suspend_line_for_overdue_bill", {{"customer_id", about.customer_id},
                                                {"line_id", about.line_id},
                                                {"new_bill_id", about.bill_id},
                                                {"contract_ended", contract_ended}});
  calls.user("simulate_network_search");
}

void add_fault(Calls& calls, Fault fault, const FaultCase& about) {
  switch (fault) {
    case Fault::airplane_mode_on:
      return calls.user("turn_airplane_mode_on");
    case Fault::sim_card_loose:
      return calls.user("unseat_sim_card");
    case Fault::sim_pin_locked:
      return calls.user("lock_sim_card", mode("pin"));
    case Fault::sim_puk_locked:
      return calls.user("lock_sim_card", mode("puk"));
    case Fault::abroad_phone_roaming_off:
      return go_abroad(calls, about, false, true);
    case Fault::abroad_line_roaming_off:
      return go_abroad(calls, about, true, false);
    case Fault::abroad_all_roaming_off:
      return go_abroad(calls, about, false, false);
    case Fault::data_switched_off:
      return calls.user("turn_data_off");
    case Fault::data_saver_on:
      return calls.user("turn_data_saver_mode_on");
    case Fault::only_2g:
      return calls.user("set_network_mode_preference", mode("2g_only"));
    case Fault::only_3g:
      return calls.user("set_network_mode_preference", mode("3g_only"));
    case Fault::only_4g:
      return calls.user("set_network_mode_preference", mode("4g_only"));
    case Fault::slow_vpn:
      return calls.user("break_vpn");
    case Fault::data_used_up:
      return calls.agent("set_data_usage",
                         line_and(about, {"data_used_gb", gigabytes(about.limit + about.overrun)}));
    case Fault::refuel_limit_reached:
      calls.agent("refuel_data", line_and(about, {"gb_amount", gigabytes(kRefuelLimit)}));
      return calls.agent(
          "set_data_usage",
          line_and(about, {"data_used_gb", gigabytes(about.limit + kRefuelLimit + about.overrun)}));
    case Fault::wifi_calling_on:
      return calls.user("set_wifi_calling", {{"enabled", true}, {"mms_over_wifi", true}});
    case Fault::no_sms_permission:
      return calls.user("remove_app_permission", permission("sms"));
    case Fault::no_storage_permission:
      return calls.user("remove_app_permission", permission("storage"));
    case Fault::no_messaging_permissions:
      calls.user("remove_app_permission", permission("sms"));
      return calls.user("remove_app_permission", permission("storage"));
    case Fault::bill_overdue:
      return suspend(calls, about, false);
    case Fault::contract_over:
      return suspend(calls, about, true);
    case Fault::apn_broken:
      return calls.user("break_apn_settings");
    case Fault::picture_server_missing:
      return calls.user("break_apn_mms_setting");
  }
}

void add_repair(Calls& calls, Fault fault, const FaultCase& about) {
  switch (fault) {
    case Fault::airplane_mode_on:
      return calls.user("toggle_airplane_mode");
    case Fault::sim_card_loose:
      return calls.user("reseat_sim_card");
    case Fault::abroad_phone_roaming_off:
      return calls.user("toggle_roaming");
    case Fault::abroad_line_roaming_off:
      return calls.agent("enable_roaming", line_of(about));
    case Fault::abroad_all_roaming_off:
      calls.agent("enable_roaming", line_of(about));
      return calls.user("toggle_roaming");
    case Fault::data_switched_off:
      return calls.user("toggle_data");
    case Fault::data_saver_on:
      return calls.user("toggle_data_saver_mode");
    case Fault::only_2g:
    case Fault::only_3g:
    case Fault::only_4g:
      return calls.user("set_network_mode_preference", mode("4g_5g_preferred"));
    case Fault::slow_vpn:
      return calls.user("disconnect_vpn");
    case Fault::data_used_up:
      return calls.agent("refuel_data", line_and(about, {"gb_amount", gigabytes(about.refuel)}));
    case Fault::wifi_calling_on:
      return calls.user("toggle_wifi_calling");
    case Fault::no_sms_permission:
      return calls.user("grant_app_permission", permission("sms"));
    case Fault::no_storage_permission:
      return calls.user("grant_app_permission", permission("storage"));
    case Fault::no_messaging_permissions:
      calls.user("grant_app_permission", permission("sms"));
      return calls.user("grant_app_permission", permission("storage"));
    case Fault::bill_overdue:
      calls.agent("send_payment_request",
                  {{"customer_id", about.customer_id}, {"bill_id", about.bill_id}});
      calls.user("make_payment");
      return calls.agent("resume_line", line_of(about));
    case Fault::apn_broken:
    case Fault::picture_server_missing:
      return calls.user("reset_apn_settings");
    case Fault::sim_pin_locked:
    case Fault::sim_puk_locked:
    case Fault::refuel_limit_reached:
    case Fault::contract_over:
      break;
  }
  UNMASK_CHECK(is_fixable(fault));
}

bool needs_restart(Fault fault) {
  return fault == Fault::bill_overdue || fault == Fault::apn_broken ||
         fault == Fault::picture_server_missing;
}

bool has(std::span<const Fault> faults, Fault fault) {
  return std::ranges::find(faults, fault) != faults.end();
}

}  // namespace

std::string_view name_of(Trouble trouble) {
  switch (trouble) {
    case Trouble::no_service:
      return "no_service";
    case Trouble::mobile_data:
      return "mobile_data";
    case Trouble::picture_messages:
      return "picture_messages";
  }
  return {};
}

std::string_view name_of(Fault fault) {
  switch (fault) {
    case Fault::airplane_mode_on:
      return "airplane_mode_on";
    case Fault::sim_card_loose:
      return "sim_card_loose";
    case Fault::sim_pin_locked:
      return "sim_pin_locked";
    case Fault::sim_puk_locked:
      return "sim_puk_locked";
    case Fault::abroad_phone_roaming_off:
      return "abroad_phone_roaming_off";
    case Fault::abroad_line_roaming_off:
      return "abroad_line_roaming_off";
    case Fault::abroad_all_roaming_off:
      return "abroad_all_roaming_off";
    case Fault::data_switched_off:
      return "data_switched_off";
    case Fault::data_saver_on:
      return "data_saver_on";
    case Fault::only_2g:
      return "only_2g";
    case Fault::only_3g:
      return "only_3g";
    case Fault::only_4g:
      return "only_4g";
    case Fault::slow_vpn:
      return "slow_vpn";
    case Fault::data_used_up:
      return "data_used_up";
    case Fault::refuel_limit_reached:
      return "refuel_limit_reached";
    case Fault::wifi_calling_on:
      return "wifi_calling_on";
    case Fault::no_sms_permission:
      return "no_sms_permission";
    case Fault::no_storage_permission:
      return "no_storage_permission";
    case Fault::no_messaging_permissions:
      return "no_messaging_permissions";
    case Fault::bill_overdue:
      return "bill_overdue";
    case Fault::contract_over:
      return "contract_over";
    case Fault::apn_broken:
      return "apn_broken";
    case Fault::picture_server_missing:
      return "picture_server_missing";
  }
  return {};
}

bool is_fixable(Fault fault) {
  return fault != Fault::sim_pin_locked && fault != Fault::sim_puk_locked &&
         fault != Fault::refuel_limit_reached && fault != Fault::contract_over;
}

bool is_abroad(Fault fault) {
  return fault == Fault::abroad_phone_roaming_off || fault == Fault::abroad_line_roaming_off ||
         fault == Fault::abroad_all_roaming_off;
}

std::span<const FaultSet> fault_sets(Trouble trouble) {
  switch (trouble) {
    case Trouble::no_service:
      return kServiceSets;
    case Trouble::mobile_data:
      return kDataSets;
    case Trouble::picture_messages:
      return kPictureSets;
  }
  return {};
}

std::vector<DraftCall> fault_calls(std::span<const Fault> faults, const FaultCase& about) {
  std::vector<DraftCall> made;
  Calls calls(made);
  for (const Fault fault : faults) add_fault(calls, fault, about);
  return made;
}

std::vector<DraftCall> repair_calls(std::span<const Fault> faults, const FaultCase& about) {
  std::vector<DraftCall> made;
  Calls calls(made);
  for (const Fault fault : faults) add_repair(calls, fault, about);
  if (std::ranges::any_of(faults, needs_restart)) calls.user("reboot_device");
  return made;
}

std::vector<DraftCall> outcome_assertions(Trouble trouble, std::span<const Fault> faults,
                                          const FaultCase& about) {
  std::vector<DraftCall> made;
  Calls calls(made);
  const bool solved = std::ranges::all_of(faults, is_fixable);
  switch (trouble) {
    case Trouble::no_service:
      calls.user("assert_service_status",
                 {{"expected_status", std::string(solved ? "connected" : "no_service")}});
      break;
    case Trouble::mobile_data:
      calls.user("assert_mobile_data_status", {{"expected_status", solved}});
      if (solved) {
        calls.user("assert_internet_speed", {{"expected_speed", std::int64_t{200}},
                                             {"expected_desc", std::string("excellent")}});
      }
      break;
    case Trouble::picture_messages:
      calls.user("assert_can_send_mms", {{"expected_status", solved}});
      break;
  }
  if (!solved) return made;
  if (has(faults, Fault::bill_overdue)) {
    calls.agent("assert_no_overdue_bill", {{"overdue_bill_id", about.bill_id}});
  }
  if (has(faults, Fault::data_used_up)) {
    calls.agent("assert_data_refueling_amount",
                line_and(about, {"expected_amount", gigabytes(about.refuel)}));
  }
  return made;
}

}  // namespace unmask::world::generated
