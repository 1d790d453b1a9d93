#include "unmask/synthetic/world_texts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "unmask/episode/channel.h"

namespace unmask::synthetic {
namespace {

constexpr std::array kTelecomAgentTools = std::to_array<ToolTexts>({
    {"get_customer_by_phone", R"({"phone_number": "$phone"})",
     R"({"customer_id": "$customer", "phone_number": "$phone", "line_ids": ["$line"]})"},
    {"get_customer_by_id", R"({"customer_id": "$customer"})",
     R"({"customer_id": "$customer", "phone_number": "$phone", "line_ids": ["$line"]})"},
    {"get_details_by_id", R"({"id": "$line"})",
     R"({"line_id": "$line", "phone_number": "$phone", "status": "Active"})"},
    {"get_bills_for_customer", R"({"customer_id": "$customer"})",
     R"([{"bill_id": "$bill", "customer_id": "$customer", "status": "Issued"}])"},
    {"get_data_usage", R"({"customer_id": "$customer", "line_id": "$line"})",
     R"({"line_id": "$line", "data_used_gb": "3.5", "data_limit_gb": "10.0"})"},
    {"suspend_line", R"({"customer_id": "$customer", "line_id": "$line", "reason": "on request"})",
     R"({"message": "Line suspended", "line": {"line_id": "$line", "status": "Suspended"}})"},
    {"resume_line", R"({"customer_id": "$customer", "line_id": "$line"})",
     R"({"message": "Line resumed", "line": {"line_id": "$line", "status": "Active"}})"},
    {"send_payment_request", R"({"customer_id": "$customer", "bill_id": "$bill"})",
     "Request for bill $bill sent"},
    {"enable_roaming", R"({"customer_id": "$customer", "line_id": "$line"})", "Roaming is on"},
    {"disable_roaming", R"({"customer_id": "$customer", "line_id": "$line"})", "Roaming is off"},
    {"refuel_data", R"({"customer_id": "$customer", "line_id": "$line", "gb_amount": 1})",
     R"({"message": "1 GB added to line $line", "new_data_refueling_gb": "1.0"})"},
});

constexpr std::array kTelecomUserTools = std::to_array<ToolTexts>({
    {"check_network_status", "{}", "Cellular signal: good. Mobile data: on."},
    {"toggle_airplane_mode", "{}", "Airplane mode switched."},
    {"check_status_bar", "{}", "Status bar: good signal, data on."},
    {"run_speed_test", "{}", "Speed test: 40 Mbps."},
    {"toggle_data", "{}", "Mobile data switched."},
    {"check_sim_status", "{}", "The SIM card works."},
});

constexpr std::array kTelecomFailures = std::to_array<FailureTexts>({
    {Party::agent, "get_customer_by_phone", Channel::arguments, "missing", "{}",
     "Error: TelecomTools.get_customer_by_phone() missing 1 required positional argument: "
     "'phone_number'"},
    {Party::agent, "resume_line", Channel::arguments, "missing", R"({"customer_id": "$customer"})",
     "Error: TelecomTools.resume_line() missing 1 required positional argument: 'line_id'"},
    {Party::agent, "get_bills_for_customer", Channel::arguments, "unexpected",
     R"({"customer_id": "$customer", "month": "2026-01"})",
     "Error: TelecomTools.get_bills_for_customer() got an unexpected keyword argument 'month'"},
    {Party::agent, "get_customer_by_id", Channel::entity, "customer",
     R"({"customer_id": "C0$number"})", "Error: Customer with ID C0$number not found"},
    {Party::agent, "get_data_usage", Channel::entity, "line",
     R"({"customer_id": "$customer", "line_id": "L0$number"})",
     "Error: Line L0$number not found for customer $customer"},
    {Party::agent, "send_payment_request", Channel::entity, "bill",
     R"({"customer_id": "$customer", "bill_id": "B0$number"})",
     "Error: Bill B0$number not found for customer $customer"},
    {Party::agent, "suspend_line", Channel::precondition, "line_status",
     R"({"customer_id": "$customer", "line_id": "$line", "reason": "on request"})",
     "Error: Line must be active to suspend"},
    {Party::agent, "resume_line", Channel::precondition, "line_status",
     R"({"customer_id": "$customer", "line_id": "$line"})",
     "Error: Line must be suspended to resume"},
    {Party::user, "set_network_mode_preference", Channel::arguments, "missing", "{}",
     "Error: TelecomUserTools.set_network_mode_preference() missing 1 required positional "
     "argument: 'mode'"},
    {Party::user, "check_app_permissions", Channel::arguments, "missing", "{}",
     "Error: TelecomUserTools.check_app_permissions() missing 1 required positional argument: "
     "'app_name'"},
});

constexpr std::array kTelecomErrands = std::to_array<ErrandTexts>({
    {"Mobile data stopped working abroad.", "enable_roaming",
     R"({"customer_id": "$customer", "line_id": "$line"})"},
    {"The line was suspended and should work again.", "resume_line",
     R"({"customer_id": "$customer", "line_id": "$line"})"},
    {"A bill is open and should be paid.", "send_payment_request",
     R"({"customer_id": "$customer", "bill_id": "$bill"})"},
    {"The data allowance is used up.", "refuel_data",
     R"({"customer_id": "$customer", "line_id": "$line", "gb_amount": 1})"},
});

constexpr std::array kRetailAgentTools = std::to_array<ToolTexts>({
    {"find_user_id_by_email", R"({"email": "$user@example.com"})", "$user"},
    {"get_user_details", R"({"user_id": "$user"})",
     R"({"user_id": "$user", "orders": ["$order"]})"},
    {"get_order_details", R"({"order_id": "$order"})",
     R"({"order_id": "$order", "user_id": "$user", "status": "pending"})"},
    {"get_product_details", R"({"product_id": "$product"})",
     R"({"product_id": "$product", "name": "Sample product"})"},
    {"list_all_product_types", "{}", R"({"Sample product": "$product"})"},
    {"calculate", R"({"expression": "19.50 + 4.25"})", "23.75"},
    {"cancel_pending_order", R"({"order_id": "$order", "reason": "no longer needed"})",
     R"({"order_id": "$order", "status": "cancelled"})"},
    {"modify_pending_order_payment",
     R"({"order_id": "$order", "payment_method_id": "credit_card_$number"})",
     R"({"order_id": "$order", "status": "pending"})"},
    {"modify_pending_order_items",
     R"({"order_id": "$order", "item_ids": ["$item"], "new_item_ids": ["1$number"], )"
     R"("payment_method_id": "credit_card_$number"})",
     R"json({"order_id": "$order", "status": "pending (item modified)"})json"},
    {"exchange_delivered_order_items",
     R"({"order_id": "$order", "item_ids": ["$item"], "new_item_ids": ["1$number"], )"
     R"("payment_method_id": "credit_card_$number"})",
     R"({"order_id": "$order", "status": "exchange requested"})"},
    {"return_delivered_order_items",
     R"({"order_id": "$order", "item_ids": ["$item"], "payment_method_id": "credit_card_$number"})",
     R"({"order_id": "$order", "status": "return requested"})"},
});

constexpr std::array kRetailFailures = std::to_array<FailureTexts>({
    {Party::agent, "get_order_details", Channel::arguments, "unexpected",
     R"({"order_id": "$order", "user_id": "$user"})",
     "Error: RetailTools.get_order_details() got an unexpected keyword argument 'user_id'"},
    {Party::agent, "cancel_pending_order", Channel::arguments, "missing",
     R"({"order_id": "$order"})",
     "Error: RetailTools.cancel_pending_order() missing 1 required positional argument: 'reason'"},
    {Party::agent, "return_delivered_order_items", Channel::arguments, "missing",
     R"({"order_id": "$order", "item_ids": ["$item"]})",
     "Error: RetailTools.return_delivered_order_items() missing 1 required positional argument: "
     "'payment_method_id'"},
    {Party::agent, "get_order_details", Channel::entity, "order", R"({"order_id": "#W0$number"})",
     "Error: Order not found"},
    {Party::agent, "get_user_details", Channel::entity, "user", R"({"user_id": "guest_$number"})",
     "Error: User not found"},
    {Party::agent, "get_product_details", Channel::entity, "product",
     R"({"product_id": "0$number"})", "Error: Product not found"},
    {Party::agent, "modify_pending_order_payment", Channel::entity, "payment_method",
     R"({"order_id": "$order", "payment_method_id": "gift_card_$number"})",
     "Error: Payment method not found"},
    {Party::agent, "cancel_pending_order", Channel::precondition, "order_status",
     R"({"order_id": "$order", "reason": "no longer needed"})",
     "Error: Non-pending order cannot be cancelled"},
    {Party::agent, "return_delivered_order_items", Channel::precondition, "order_status",
     R"({"order_id": "$order", "item_ids": ["$item"], "payment_method_id": "credit_card_$number"})",
     "Error: Non-delivered order cannot be returned"},
});

constexpr std::array kRetailErrands = std::to_array<ErrandTexts>({
    {"An order is no longer needed.", "cancel_pending_order",
     R"({"order_id": "$order", "reason": "no longer needed"})"},
    {"A delivered item should go back.", "return_delivered_order_items",
     R"({"order_id": "$order", "item_ids": ["$item"], "payment_method_id": "credit_card_$number"})"},
    {"A delivered item should be exchanged for another size.", "exchange_delivered_order_items",
     R"({"order_id": "$order", "item_ids": ["$item"], "new_item_ids": ["1$number"], )"
     R"("payment_method_id": "credit_card_$number"})"},
    {"An order should be paid in another way.", "modify_pending_order_payment",
     R"({"order_id": "$order", "payment_method_id": "credit_card_$number"})"},
});

constexpr std::array kWorlds = std::to_array<WorldTexts>({
    {.domain = "telecom",
     .task_prefix = "telecom_",
     .agent_tools = kTelecomAgentTools,
     .user_tools = kTelecomUserTools,
     .failures = kTelecomFailures,
     .errands = kTelecomErrands,
     .stray_arguments = R"({"line_id": "$line"})",
     .reward_basis = "ENV_ASSERTION"},
    {.domain = "retail",
     .task_prefix = "retail_",
     .agent_tools = kRetailAgentTools,
     .user_tools = {},
     .failures = kRetailFailures,
     .errands = kRetailErrands,
     .stray_arguments = R"({"order_id": "$order"})",
     .reward_basis = "DB"},
});

std::string padded(std::uint32_t number, std::size_t width) {
  std::string digits = std::to_string(number);
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return digits;
}

std::string numbered(std::string_view prefix, std::uint64_t number) {
  return std::string(prefix).append(std::to_string(number));
}

std::string id_for(std::string_view word, std::uint32_t task) {
  const std::uint64_t number = 5001 + static_cast<std::uint64_t>(task);
  if (word == "customer") return numbered("C", number);
  if (word == "line") return numbered("L", number);
  if (word == "bill") return numbered("B", number);
  if (word == "user") return numbered("buyer_", number);
  if (word == "order") return numbered("#W", 9'000'000 + number);
  if (word == "item") return numbered("", 7'700'000'000 + number);
  if (word == "product") return numbered("", 8'800'000'000 + number);
  if (word == "number") return numbered("", number);
  if (word == "phone") return "555-01" + padded(task % 100, 2);  // numbers reserved for fiction
  return std::string("$").append(word);
}

}  // namespace

const WorldTexts* find_world(std::string_view domain) {
  for (const WorldTexts& world : kWorlds) {
    if (world.domain == domain) return &world;
  }
  return nullptr;
}

std::string fill_in(std::string_view text, std::uint32_t task) {
  std::string out;
  out.reserve(text.size() + 16);
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      out += text[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
    out += id_for(text.substr(at + 1, end - at - 1), task);
    at = end;
  }
  return out;
}

std::string task_id(const WorldTexts& world, std::uint32_t task) {
  return std::string(world.task_prefix) + padded(task + 1, 3);
}

}  // namespace unmask::synthetic
