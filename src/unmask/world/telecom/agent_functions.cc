#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unmask/world/json_dump.h"
#include "unmask/world/outcome.h"
#include "unmask/world/telecom/agent_database.h"
#include "unmask/world/telecom/agent_methods.h"
#include "unmask/world/telecom/agent_state.h"
#include "unmask/world/telecom/calendar.h"
#include "unmask/world/telecom/method.h"
#include "unmask/world/telecom/named_enum.h"
#include "unmask/world/telecom/overlay_table.h"
#include "unmask/world/telecom/python_errors.h"
#include "unmask/world/telecom/record.h"
#include "unmask/world/telecom/records.h"
#include "unmask/world/telecom/update_database.h"
#include "unmask/world/tool.h"
#include "unmask/world/validation.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {
namespace {

Outcome<Reply> set_data_usage(const AgentCall& call) {
  AgentDatabase& database = call.state.database;
  const Outcome<std::size_t> at = line_of_customer(database, call.argument(0), call.argument(1));
  if (!at) {
    return raised_by(at);
  }
  const Value& used = call.argument(2);
  database.lines.edit(*at).data_used_gb = used;
  return text_reply("Data usage set to " + python_str(used) + " GB for line " +
                    python_str(call.argument(1)));
}

Bill overdue_bill(std::string bill_id, const Customer& customer, const Line& line, double price) {
  return {.bill_id = std::move(bill_id),
          .customer_id = customer.customer_id,
          .period_start = {.year = 2025, .month = 1, .day = 1},
          .period_end = {.year = 2025, .month = 1, .day = 31},
          .issue_date = {.year = 2025, .month = 1, .day = 1},
          .total_due = price,
          .due_date = {.year = 2025, .month = 1, .day = 15},
          .line_items = {LineItem{.description = "Charge for line " + line.line_id,
                                  .amount = price,
                                  .date = kToday,
                                  .item_type = "Charge"}},
          .status = BillStatus::overdue};
}

Outcome<Reply> suspend_line_for_overdue_bill(const AgentCall& call) {
  AgentDatabase& database = call.state.database;
  const Value& new_bill_id = call.argument(2);
  const Value& contract_ended = call.argument(3);
  const Outcome<std::size_t> at = line_at(database, call.argument(1));
  if (!at) {
    return raised_by(at);
  }
  if (database.lines[*at].status != LineStatus::active) {
    return raise_value_error("Line must be active to suspend for unpaid bill",
                             refused_by("line_status"));
  }
  const Outcome<std::size_t> plan = plan_named(database, database.lines[*at].plan_id);
  if (!plan) {
    return raised_by(plan);
  }
  const double price = database.plans[*plan].price_per_month;
  if (price <= 0) {
    return raise_value_error("Amount must be positive for overdue bill");
  }
  const Outcome<std::size_t> customer = customer_at(database, call.argument(0));
  if (!customer) {
    return raised_by(customer);
  }
  const Outcome<std::vector<std::size_t>> bills = bills_of(database, *customer);
  if (!bills) {
    return raised_by(bills);
  }
  for (const std::size_t bill : *bills) {
    if (database.bills[bill].status == BillStatus::overdue) {
      return raise_value_error("Customer already has an overdue bill", refused_by("bill_status"));
    }
  }
  Validation validation("Bill");
  const Place root;
  auto bill_id = text_from(new_bill_id, Place{.parent = &root, .key = "bill_id"}, validation);
  if (!bill_id) {
    return raise("ValidationError", validation.text());
  }
  Line& line = database.lines.edit(*at);
  database.add_bill(*customer,
                    overdue_bill(*std::move(bill_id), database.customers[*customer], line, price));
  line.status = LineStatus::suspended;
  line.suspension_start_date = kToday;
  if (python_truth(contract_ended)) {
    line.contract_end_date = Date{.year = 2025, .month = 1, .day = 31};
  }
  return text_reply("Line " + python_str(call.argument(1)) + " suspended for unpaid bill " +
                    python_str(new_bill_id) + ". Contract ended: " + python_str(contract_ended));
}

Outcome<Reply> set_bill_to_paid(const AgentCall& call) {
  AgentDatabase& database = call.state.database;
  const Outcome<std::size_t> bill = bill_at(database, call.argument(0));
  if (!bill) {
    return raised_by(bill);
  }
  database.bills.edit(*bill).status = BillStatus::paid;
  return text_reply("Bill " + database.bills[*bill].bill_id + " set to paid");
}

Outcome<Reply> charge_once(const AgentCall& call) {
  AgentDatabase& database = call.state.database;
  const Value& amount = call.argument(1);
  const Outcome<std::size_t> customer = customer_at(database, call.argument(0));
  if (!customer) {
    return raised_by(customer);
  }
  const Outcome<std::size_t> bill = draft_bill_of(call.state, *customer);
  if (!bill) {
    return raised_by(bill);
  }
  if (!amount.is_number()) {
    return raise_not_comparable("<", type_name(amount), "int");
  }
  Validation validation("LineItem");
  const Place root;
  auto description =
      text_from(call.argument(2), Place{.parent = &root, .key = "description"}, validation);
  const auto number = real_from(amount, Place{.parent = &root, .key = "amount"}, validation);
  if (!description || !number) {
    return raise("ValidationError", validation.text());
  }
  add_item(database.bills.amend(*bill), *number, *std::move(description));
  return null_reply();
}

Outcome<Reply> get_available_plan_ids(const AgentCall& call) {
  const OverlayTable<Plan>& plans = call.state.database.plans;
  std::string json = "[";
  for (std::size_t at = 0; at < plans.size(); ++at) {
    json += at == 0 ? "" : ", ";
    append_json_string(json, plans[at].plan_id);
  }
  json += ']';
  return json_reply(std::move(json));
}

Outcome<Reply> update_db(const AgentCall& call) {
  Outcome<AgentRows> rows = updated(call.state.database.rows(), call.argument(0));
  if (!rows) {
    return raised_by(rows);
  }
  call.state.database = AgentDatabase(*std::move(rows));
  return null_reply();
}

Outcome<Reply> assert_data_refueling_amount(const AgentCall& call) {
  const AgentDatabase& database = call.state.database;
  const Value& expected = call.argument(2);
  const Outcome<std::size_t> at = line_of_customer(database, call.argument(0), call.argument(1));
  if (!at) {
    return raised_by(at);
  }
  if (!expected.is_number()) {
    return raise("TypeError", "unsupported operand type(s) for -: 'float' and '" +
                                  std::string(type_name(expected)) + "'");
  }
  const std::optional<double> amount = to_double(expected);
  if (!amount) {
    return raise_too_large();
  }
  return truth_reply(std::abs(database.lines[*at].data_refueling_gb - *amount) < 1e-6);
}

Outcome<Reply> assert_line_status(const AgentCall& call) {
  const AgentDatabase& database = call.state.database;
  const Outcome<std::size_t> at = line_of_customer(database, call.argument(0), call.argument(1));
  if (!at) {
    return raised_by(at);
  }
  const std::string* expected = call.argument(2).string();
  return truth_reply(expected != nullptr && *expected == text_of(database.lines[*at].status));
}

Outcome<Reply> assert_overdue_bill_exists(const AgentCall& call) {
  const AgentDatabase& database = call.state.database;
  const Value& bill_id = call.argument(1);
  const Outcome<std::size_t> customer = customer_at(database, call.argument(0));
  if (!customer) {
    return raised_by(customer);
  }
  const std::string* id = bill_id.string();
  if (id == nullptr || !database.lists_bill(*customer, *id)) {
    return raise_value_error("Overdue bill " + python_str(bill_id) + " not found");
  }
  const Outcome<std::size_t> bill = bill_at(database, bill_id);
  if (!bill) {
    return raised_by(bill);
  }
  if (database.bills[*bill].status != BillStatus::overdue) {
    return raise_value_error("Overdue bill " + *id + " is not overdue");
  }
  return truth_reply(true);
}

Outcome<Reply> assert_no_overdue_bill(const AgentCall& call) {
  const AgentDatabase& database = call.state.database;
  const Outcome<std::size_t> bill = bill_at(database, call.argument(0));
  return truth_reply(!bill || database.bills[*bill].status == BillStatus::paid);
}

}  // namespace

std::span<const AgentMethod> agent_functions() {
  using enum ToolKind;
  static const std::vector<AgentMethod> kFunctions{
      {"set_data_usage", function, {"customer_id", "line_id", "data_used_gb"}, set_data_usage, {}},
      {"suspend_line_for_overdue_bill",
       function,
       {"customer_id", "line_id", "new_bill_id", "contract_ended"},
       suspend_line_for_overdue_bill,
       {}},
      {"_set_bill_to_paid", function, {"bill_id"}, set_bill_to_paid, {}},
      {"_apply_one_time_charge",
       function,
       {"customer_id", "amount", "description"},
       charge_once,
       {}},
      {"get_available_plan_ids", function, {}, get_available_plan_ids, {}},
      {"update_db", function, {"update_data"}, update_db, {}},
      {"assert_data_refueling_amount",
       function,
       {"customer_id", "line_id", "expected_amount"},
       assert_data_refueling_amount,
       {}},
      {"assert_line_status",
       function,
       {"customer_id", "line_id", "expected_status"},
       assert_line_status,
       {}},
      {"assert_overdue_bill_exists",
       function,
       {"customer_id", "overdue_bill_id"},
       assert_overdue_bill_exists,
       {}},
      {"assert_no_overdue_bill", function, {"overdue_bill_id"}, assert_no_overdue_bill, {}},
  };
  return kFunctions;
}

}  // namespace unmask::world::telecom
