#include <utility>
#include <vector>

#include "unmask/world/retail/retail_environment.h"
#include "unmask/world/tool.h"

namespace unmask::world::retail {
namespace {

Tool tool_of(RetailTool id, const char* name, ToolKind kind, std::vector<Parameter> parameters) {
  Tool tool;
  tool.id = static_cast<int>(id);
  tool.name = name;
  tool.kind = kind;
  tool.parameters = std::move(parameters);
  tool.schema = schema_of(tool.parameters);
  return tool;
}

Parameter text(const char* name) { return {name, true, ParameterType::text}; }
Parameter text_list(const char* name) { return {name, true, ParameterType::text_list}; }

std::vector<Parameter> address_after(const char* id) {
  return {text(id),      text("address1"), text("address2"), text("city"),
          text("state"), text("country"),  text("zip")};
}

std::vector<Parameter> swap_parameters() {
  return {text("order_id"), text_list("item_ids"), text_list("new_item_ids"),
          text("payment_method_id")};
}

}  // namespace

Toolkit retail_toolkit() {
  using enum ToolKind;
  Toolkit toolkit;
  toolkit.class_name = "RetailTools";
  toolkit.tools = {
      tool_of(RetailTool::calculate, "calculate", generic, {text("expression")}),
      tool_of(RetailTool::cancel_pending_order, "cancel_pending_order", write,
              {text("order_id"), text("reason")}),
      tool_of(RetailTool::exchange_delivered_order_items, "exchange_delivered_order_items", write,
              swap_parameters()),
      tool_of(RetailTool::find_user_id_by_name_zip, "find_user_id_by_name_zip", read,
              {text("first_name"), text("last_name"), text("zip")}),
      tool_of(RetailTool::find_user_id_by_email, "find_user_id_by_email", read, {text("email")}),
      tool_of(RetailTool::get_order_details, "get_order_details", read, {text("order_id")}),
      tool_of(RetailTool::get_product_details, "get_product_details", read, {text("product_id")}),
      tool_of(RetailTool::get_item_details, "get_item_details", read, {text("item_id")}),
      tool_of(RetailTool::get_user_details, "get_user_details", read, {text("user_id")}),
      tool_of(RetailTool::list_all_product_types, "list_all_product_types", read, {}),
      tool_of(RetailTool::modify_pending_order_address, "modify_pending_order_address", write,
              address_after("order_id")),
      tool_of(RetailTool::modify_pending_order_items, "modify_pending_order_items", write,
              swap_parameters()),
      tool_of(RetailTool::modify_pending_order_payment, "modify_pending_order_payment", write,
              {text("order_id"), text("payment_method_id")}),
      tool_of(RetailTool::modify_user_address, "modify_user_address", write,
              address_after("user_id")),
      tool_of(RetailTool::return_delivered_order_items, "return_delivered_order_items", write,
              {text("order_id"), text_list("item_ids"), text("payment_method_id")}),
      tool_of(RetailTool::transfer_to_human_agents, "transfer_to_human_agents", generic,
              {text("summary")}),
  };
  toolkit.index_tools();
  return toolkit;
}

}  // namespace unmask::world::retail
