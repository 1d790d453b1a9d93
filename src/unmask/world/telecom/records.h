#pragma once

#include <string_view>
#include <tuple>

#include "unmask/world/telecom/agent_database.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/telecom/record.h"

// Names and order of the members of everything that both databases hold: from these lists come the
// dumps, the hashed text and the validation of what is loaded.

namespace unmask::world::telecom {

template <>
struct Record<Plan> {
  static constexpr std::string_view kClass = "Plan";
  static constexpr std::tuple kFields{
      required("plan_id", &Plan::plan_id), required("name", &Plan::name),
      required("data_limit_gb", &Plan::data_limit_gb),
      required("price_per_month", &Plan::price_per_month),
      required("data_refueling_price_per_gb", &Plan::data_refueling_price_per_gb)};
};

template <>
struct Record<Address> {
  static constexpr std::string_view kClass = "Address";
  static constexpr std::tuple kFields{
      required("street", &Address::street), required("city", &Address::city),
      required("state", &Address::state), required("zip_code", &Address::zip_code)};
};

template <>
struct Record<PaymentMethod> {
  static constexpr std::string_view kClass = "PaymentMethod";
  static constexpr std::tuple kFields{
      required("method_type", &PaymentMethod::method_type),
      required("account_number_last_4", &PaymentMethod::account_number_last_4),
      required("expiration_date", &PaymentMethod::expiration_date)};
};

template <>
struct Record<Customer> {
  static constexpr std::string_view kClass = "Customer";
  static constexpr std::tuple kFields{
      required("customer_id", &Customer::customer_id),
      required("full_name", &Customer::full_name),
      required("date_of_birth", &Customer::date_of_birth),
      required("email", &Customer::email),
      required("phone_number", &Customer::phone_number),
      required("address", &Customer::address),
      optional("account_status", &Customer::account_status),
      optional("payment_methods", &Customer::payment_methods),
      optional("line_ids", &Customer::line_ids),
      optional("bill_ids", &Customer::bill_ids),
      required("created_at", &Customer::created_at),
      optional("last_extension_date", &Customer::last_extension_date),
      optional("goodwill_credit_used_this_year", &Customer::goodwill_credit_used_this_year)};
};

template <>
struct Record<Line> {
  static constexpr std::string_view kClass = "Line";
  static constexpr std::tuple kFields{
      required("line_id", &Line::line_id),
      required("phone_number", &Line::phone_number),
      optional("status", &Line::status),
      required("plan_id", &Line::plan_id),
      optional("device_id", &Line::device_id),
      optional("data_used_gb", &Line::data_used_gb, Holds::real),
      optional("data_refueling_gb", &Line::data_refueling_gb),
      optional("roaming_enabled", &Line::roaming_enabled),
      optional("contract_end_date", &Line::contract_end_date),
      optional("last_plan_change_date", &Line::last_plan_change_date),
      optional("last_sim_replacement_date", &Line::last_sim_replacement_date),
      optional("suspension_start_date", &Line::suspension_start_date)};
};

template <>
struct Record<LineItem> {
  static constexpr std::string_view kClass = "LineItem";
  static constexpr std::tuple kFields{
      required("description", &LineItem::description), required("amount", &LineItem::amount),
      required("date", &LineItem::date), required("item_type", &LineItem::item_type)};
};

template <>
struct Record<Bill> {
  static constexpr std::string_view kClass = "Bill";
  static constexpr std::tuple kFields{required("bill_id", &Bill::bill_id),
                                      required("customer_id", &Bill::customer_id),
                                      required("period_start", &Bill::period_start),
                                      required("period_end", &Bill::period_end),
                                      required("issue_date", &Bill::issue_date),
                                      required("total_due", &Bill::total_due),
                                      required("due_date", &Bill::due_date),
                                      optional("line_items", &Bill::line_items),
                                      optional("status", &Bill::status)};
};

template <>
struct Record<Device> {
  static constexpr std::string_view kClass = "Device";
  static constexpr std::tuple kFields{
      required("device_id", &Device::device_id),
      required("device_type", &Device::device_type),
      required("model", &Device::model),
      optional("imei", &Device::imei),
      required("is_esim_capable", &Device::is_esim_capable),
      optional("activated", &Device::activated),
      optional("activation_date", &Device::activation_date),
      optional("last_esim_transfer_date", &Device::last_esim_transfer_date)};
};

template <>
struct Record<AgentRows> {
  static constexpr std::string_view kClass = "TelecomDB";
  static constexpr std::tuple kFields{
      optional("plans", &AgentRows::plans), optional("customers", &AgentRows::customers),
      optional("lines", &AgentRows::lines), optional("bills", &AgentRows::bills),
      optional("devices", &AgentRows::devices)};
};

template <>
struct Record<ApnSettings> {
  static constexpr std::string_view kClass = "APNSettings";
  static constexpr std::tuple kFields{
      optional("apn_name", &ApnSettings::apn_name),
      optional("reset_at_reboot", &ApnSettings::reset_at_reboot),
      optional("mms_apn", &ApnSettings::mms_apn),
      optional("mmsc_url", &ApnSettings::mmsc_url),
      optional("mms_proxy", &ApnSettings::mms_proxy),
      optional("mms_port", &ApnSettings::mms_port, Holds::optional_integer)};
};

template <>
struct Record<VpnDetails> {
  static constexpr std::string_view kClass = "VpnDetails";
  static constexpr std::tuple kFields{
      optional("server_address", &VpnDetails::server_address),
      optional("protocol", &VpnDetails::protocol),
      optional("server_performance", &VpnDetails::server_performance)};
};

template <>
struct Record<AppPermissions> {
  static constexpr std::string_view kClass = "AppPermissions";
  static constexpr std::tuple kFields{
      optional("sms", &AppPermissions::sms), optional("storage", &AppPermissions::storage),
      optional("phone", &AppPermissions::phone), optional("network", &AppPermissions::network)};
};

template <>
struct Record<AppStatus> {
  static constexpr std::string_view kClass = "AppStatus";
  static constexpr std::tuple kFields{required("app_name", &AppStatus::app_name),
                                      optional("permissions", &AppStatus::permissions)};
};

template <>
struct Record<Phone> {
  static constexpr std::string_view kClass = "MockPhone";
  static constexpr std::tuple kFields{
      optional("sim_card_status", &Phone::sim_card_status),
      optional("sim_card_missing", &Phone::sim_card_missing),
      optional("airplane_mode", &Phone::airplane_mode),
      optional("network_signal_strength", &Phone::network_signal_strength),
      optional("network_technology_connected", &Phone::network_technology_connected),
      optional("network_connection_status", &Phone::network_connection_status),
      optional("battery_level", &Phone::battery_level, Holds::integer),
      optional("data_enabled", &Phone::data_enabled),
      optional("roaming_enabled", &Phone::roaming_enabled),
      optional("network_mode_preference", &Phone::network_mode_preference),
      optional("active_apn_settings", &Phone::active_apn_settings),
      optional("wifi_enabled", &Phone::wifi_enabled),
      optional("wifi_connected", &Phone::wifi_connected),
      optional("wifi_ssid", &Phone::wifi_ssid),
      optional("wifi_signal_strength", &Phone::wifi_signal_strength),
      optional("wifi_calling_enabled", &Phone::wifi_calling_enabled),
      optional("wifi_calling_mms_over_wifi", &Phone::wifi_calling_mms_over_wifi, Holds::boolean),
      optional("data_saver_mode", &Phone::data_saver_mode),
      optional("vpn_enabled_setting", &Phone::vpn_enabled_setting),
      optional("vpn_connected", &Phone::vpn_connected),
      optional("vpn_details", &Phone::vpn_details),
      optional("app_statuses", &Phone::app_statuses)};
};

template <>
struct Record<PaymentRequest> {
  static constexpr std::string_view kClass = "PaymentRequest";
  static constexpr std::tuple kFields{required("bill_id", &PaymentRequest::bill_id),
                                      required("amount_due", &PaymentRequest::amount_due),
                                      optional("paid", &PaymentRequest::paid)};
};

template <>
struct Record<Surroundings> {
  static constexpr std::string_view kClass = "UserSurroundings";
  static constexpr std::tuple kFields{
      optional("name", &Surroundings::name, Holds::optional_text),
      optional("phone_number", &Surroundings::phone_number, Holds::optional_text),
      optional("is_abroad", &Surroundings::is_abroad, Holds::boolean),
      optional("roaming_allowed", &Surroundings::roaming_allowed),
      optional("signal_strength", &Surroundings::signal_strength),
      optional("mobile_data_usage_exceeded", &Surroundings::mobile_data_usage_exceeded),
      optional("line_active", &Surroundings::line_active),
      optional("payment_request", &Surroundings::payment_request)};
};

template <>
struct Record<UserDatabase> {
  static constexpr std::string_view kClass = "TelecomUserDB";
  static constexpr std::tuple kFields{optional("device", &UserDatabase::device),
                                      optional("surroundings", &UserDatabase::surroundings)};
};

}  // namespace unmask::world::telecom
