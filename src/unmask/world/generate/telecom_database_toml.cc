#include <array>
#include <string>
#include <string_view>

#include "unmask/json/json_text.h"
#include "unmask/world/generate/amount.h"
#include "unmask/world/generate/telecom_database.h"

namespace unmask::world::generated {
namespace {

/// Writes `key = value` lines; JSON's strings and arrays of strings are TOML's too.
class TomlText {
 public:
  explicit TomlText(std::string& out) : out_(out) {}

  void table(std::string_view name) { out_.append("\n[[").append(name).append("]]\n"); }
  void part(std::string_view name) { out_.append("[").append(name).append("]\n"); }
  void text(std::string_view key, std::string_view value) {
    begin(key);
    json::JsonText(out_).string(value);
    out_ += '\n';
  }
  /// Nothing where there is none: TOML has no null.
  void text_if_any(std::string_view key, std::string_view value) {
    if (!value.empty()) text(key, value);
  }
  void real(std::string_view key, double value) {
    begin(key);
    json::JsonText(out_).real(value);
    out_ += '\n';
  }
  void boolean(std::string_view key, bool value) {
    begin(key);
    out_ += value ? "true\n" : "false\n";
  }
  void raw(std::string_view key, std::string_view value) {
    begin(key);
    out_.append(value).append("\n");
  }

 private:
  void begin(std::string_view key) { out_.append(key).append(" = "); }
  std::string& out_;
};

std::string_view status_text(LineStatus status) {
  switch (status) {
    case LineStatus::active:
      return "Active";
    case LineStatus::suspended:
      return "Suspended";
    case LineStatus::pending_activation:
      return "Pending Activation";
    case LineStatus::closed:
      return "Closed";
  }
  return {};
}

void write_plan(TomlText& out, const TelecomPlan& plan) {
  out.table("plans");
  out.text("plan_id", plan.id);
  out.text("name", plan.name);
  out.real("data_limit_gb", gigabytes(plan.limit));
  out.real("price_per_month", dollars(plan.price));
  out.real("data_refueling_price_per_gb", dollars(plan.refuel_price));
}

void write_device(TomlText& out, const TelecomDevice& device) {
  out.table("devices");
  out.text("device_id", device.id);
  out.text("device_type", device.type);
  out.text("model", device.model);
  out.text("imei", device.imei);
  out.boolean("is_esim_capable", device.esim);
  out.boolean("activated", !device.activation.empty());
  out.text_if_any("activation_date", device.activation);
}

void write_line(TomlText& out, const TelecomLine& line) {
  out.table("lines");
  out.text("line_id", line.id);
  out.text("phone_number", line.phone_number);
  out.text("status", status_text(line.status));
  out.text("plan_id", telecom_plans()[line.plan].id);
  out.text("device_id", line.device_id);
  out.real("data_used_gb", gigabytes(line.used));
  out.real("data_refueling_gb", 0.0);
  out.boolean("roaming_enabled", line.roaming);
  out.text("contract_end_date", line.contract_end);
  out.text("last_plan_change_date", line.plan_change);
  out.text_if_any("last_sim_replacement_date", line.sim_replacement);
  out.text_if_any("suspension_start_date", line.suspension_start);
}

template <typename Numbers, typename Rows>
std::string ids(const Numbers& numbers, const Rows& rows) {
  std::string text;
  json::JsonText out(text);
  out.begin_array();
  for (const auto number : numbers) out.string(rows[number].id);
  out.end_array();
  return text;
}

void write_customer(TomlText& out, const TelecomDatabase& database,
                    const TelecomCustomer& customer) {
  out.table("customers");
  out.text("customer_id", customer.id);
  out.text("full_name", customer.name.first + " " + customer.name.last);
  out.text("date_of_birth", customer.birthday);
  out.text("email", customer.email);
  out.text("phone_number", customer.phone_number);
  out.text("account_status", customer.status);
  out.text("created_at", customer.created);
  out.real("goodwill_credit_used_this_year", dollars(customer.goodwill));
  out.raw("line_ids", ids(customer.lines, database.lines));
  out.raw("bill_ids", ids(customer.bills, database.bills));
  if (customer.payments.empty()) out.raw("payment_methods", "[]");
  for (const TelecomPayment& payment : customer.payments) {
    out.table("customers.payment_methods");
    out.text("method_type", payment.method);
    out.text("account_number_last_4", payment.last_four);
    out.text("expiration_date", payment.expiration);
  }
  out.part("customers.address");
  out.text("street", customer.address.street + ", " + customer.address.unit);
  out.text("city", customer.address.city);
  out.text("state", customer.address.state);
  out.text("zip_code", customer.address.zip);
}

struct Month {
  std::string_view first_day;
  std::string_view last_day;
  std::string_view issued;
  std::string_view due;
};
constexpr std::array<Month, 3> kMonths = {{
    {"2025-01-01", "2025-01-31", "2025-01-04", "2025-01-22"},
    {"2025-02-01", "2025-02-28", "2025-02-04", "2025-02-22"},
    {"2025-03-01", "2025-03-31", "2025-03-01", "2025-03-15"},
}};
// A bill that is merely issued is due after the simulated day.
constexpr std::string_view kStillDue = "2025-02-28";

void write_bill(TomlText& out, const TelecomBill& bill) {
  const Month& month = kMonths.at(static_cast<std::size_t>(bill.month - 1));
  Cents total = 0;
  for (const BillItem& item : bill.items) total += item.amount;
  out.table("bills");
  out.text("bill_id", bill.id);
  out.text("customer_id", bill.customer_id);
  out.text("period_start", month.first_day);
  out.text("period_end", month.last_day);
  out.text("issue_date", month.issued);
  out.real("total_due", dollars(total));
  out.text("due_date", bill.status == "Issued" ? kStillDue : month.due);
  out.text("status", bill.status);
  if (bill.items.empty()) out.raw("line_items", "[]");
  for (const BillItem& item : bill.items) {
    out.table("bills.line_items");
    out.text("description", item.description);
    out.real("amount", dollars(item.amount));
    out.text("date", month.issued);
    out.text("item_type", item.type);
  }
}

}  // namespace

std::string telecom_database_toml(const TelecomDatabase& database) {
  std::string text =
      "# An invented telephone company. No such customers, plans or devices exist.\n";
  TomlText out(text);
  for (const TelecomPlan& plan : telecom_plans()) write_plan(out, plan);
  for (const TelecomDevice& device : database.devices) write_device(out, device);
  for (const TelecomLine& line : database.lines) write_line(out, line);
  for (const TelecomCustomer& customer : database.customers) {
    write_customer(out, database, customer);
  }
  for (const TelecomBill& bill : database.bills) write_bill(out, bill);
  return text;
}

std::string_view telecom_phone_toml() {
  return R"toml([device]
sim_card_status = "active"
sim_card_missing = false
airplane_mode = false
network_signal_strength = "excellent"
network_technology_connected = "5G"
network_connection_status = "connected"
battery_level = 64
data_enabled = true
roaming_enabled = false
network_mode_preference = "4g_5g_preferred"
wifi_enabled = false
wifi_connected = false
wifi_signal_strength = "none"
wifi_calling_enabled = false
wifi_calling_mms_over_wifi = false
data_saver_mode = false
vpn_enabled_setting = false
vpn_connected = false

[device.active_apn_settings]
apn_name = "internet"
mms_apn = "mms"
mmsc_url = "http://mms.carrier.example/send"

[device.app_statuses.messaging]
app_name = "messaging"
permissions = { sms = true, storage = true, phone = true, network = false }

[device.app_statuses.browser]
app_name = "browser"
permissions = { sms = false, storage = true, phone = false, network = true }
)toml";
}

}  // namespace unmask::world::generated
