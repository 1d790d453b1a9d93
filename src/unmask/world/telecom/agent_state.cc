#include "unmask/world/telecom/agent_state.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/world/outcome.h"
#include "unmask/world/telecom/agent_database.h"
#include "unmask/world/telecom/python_errors.h"
#include "unmask/world/telecom/records.h"
#include "unmask/world/validation.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {
namespace {

template <typename Row>
Outcome<std::size_t> row_at(const OverlayTable<Row>& table, std::string_view id,
                            std::string_view kind, std::string_view entity) {
  if (const std::optional<std::size_t> at = table.find(id)) {
    return *at;
  }
  std::string text(kind);
  text += " with ID ";
  text += id;
  text += " not found";
  return raise_value_error(std::move(text), no_such(entity));
}

template <typename Row>
Outcome<std::size_t> row_at(const OverlayTable<Row>& table, const Value& id, std::string_view kind,
                            std::string_view entity) {
  if (const std::string* text = id.string()) {
    return row_at(table, std::string_view(*text), kind, entity);
  }
  return raise_value_error(std::string(kind) + " with ID " + python_str(id) + " not found",
                           no_such(entity));
}

Bill draft_bill(std::string bill_id, std::string customer_id) {
  return {.bill_id = std::move(bill_id),
          .customer_id = std::move(customer_id),
          .period_start = {.year = 2025, .month = 3, .day = 1},
          .period_end = {.year = 2025, .month = 3, .day = 31},
          .issue_date = {.year = 2025, .month = 3, .day = 1},
          .due_date = {.year = 2025, .month = 3, .day = 15}};
}

/// The customer's first draft bill; the search ends there, so what is missing behind it is not
/// missed.
Outcome<std::optional<std::size_t>> find_draft(const AgentDatabase& database,
                                               const Customer& customer) {
  for (const std::string& bill_id : customer.bill_ids) {
    const Outcome<std::size_t> bill = bill_named(database, bill_id);
    if (!bill) {
      return raised_by(bill);
    }
    if (database.bills[*bill].status == BillStatus::draft) {
      return *bill;
    }
  }
  return std::optional<std::size_t>{};
}

}  // namespace

Outcome<std::size_t> customer_at(const AgentDatabase& database, const Value& id) {
  return row_at(database.customers, id, "Customer", "customer");
}
Outcome<std::size_t> line_at(const AgentDatabase& database, const Value& id) {
  return row_at(database.lines, id, "Line", "line");
}
Outcome<std::size_t> bill_at(const AgentDatabase& database, const Value& id) {
  return row_at(database.bills, id, "Bill", "bill");
}
Outcome<std::size_t> device_at(const AgentDatabase& database, const Value& id) {
  return row_at(database.devices, id, "Device", "device");
}
Outcome<std::size_t> plan_at(const AgentDatabase& database, const Value& id) {
  return row_at(database.plans, id, "Plan", "plan");
}
Outcome<std::size_t> bill_named(const AgentDatabase& database, std::string_view id) {
  return row_at(database.bills, id, "Bill", "bill");
}
Outcome<std::size_t> plan_named(const AgentDatabase& database, std::string_view id) {
  return row_at(database.plans, id, "Plan", "plan");
}

Outcome<std::size_t> line_of_customer(const AgentDatabase& database, const Value& customer_id,
                                      const Value& line_id) {
  const Outcome<std::size_t> customer = customer_at(database, customer_id);
  if (!customer) {
    return customer;
  }
  const std::vector<std::string>& own = database.customers[*customer].line_ids;
  const std::string* id = line_id.string();
  if (id == nullptr || std::ranges::find(own, *id) == own.end()) {
    return raise_value_error(
        "Line " + python_str(line_id) + " not found for customer " + python_str(customer_id),
        no_such("line"));
  }
  return line_at(database, line_id);
}

Outcome<std::size_t> customer_with_phone(const AgentDatabase& database, const Value& phone_number) {
  // A number that is no text belongs to nobody; the search still runs into a missing line.
  const std::string* number = phone_number.string();
  const PhoneOwner owner =
      number == nullptr ? database.owner_of_no_phone() : database.owner_of_phone(*number);
  if (owner.customer) {
    return *owner.customer;
  }
  if (owner.missing_line) {
    return line_at(database, Value(*owner.missing_line));
  }
  return raise_value_error("Customer with phone number " + python_str(phone_number) + " not found",
                           no_such("customer"));
}

Outcome<std::vector<std::size_t>> bills_of(const AgentDatabase& database,
                                           const Customer& customer) {
  std::vector<std::size_t> bills;
  bills.reserve(customer.bill_ids.size());
  for (const std::string& bill_id : customer.bill_ids) {
    const Outcome<std::size_t> bill = bill_named(database, bill_id);
    if (!bill) {
      return raised_by(bill);
    }
    bills.push_back(*bill);
  }
  return bills;
}

Outcome<const Bill*> first_awaiting_payment(const AgentDatabase& database, std::size_t customer) {
  const Bill* first = nullptr;
  const auto look_at = [&](std::size_t at) {
    const Bill& bill = database.bills[at];
    if (first == nullptr && bill.status == BillStatus::awaiting_payment) {
      first = &bill;
    }
  };
  if (const std::vector<std::size_t>* known = database.known_bills(customer)) {
    for (const std::size_t at : *known) {
      look_at(at);
    }
    return first;
  }
  for (const std::string& bill_id : database.customers[customer].bill_ids) {
    const Outcome<std::size_t> at = bill_named(database, bill_id);
    if (!at) {
      return raised_by(at);
    }
    look_at(*at);
  }
  return first;
}

Outcome<void> apply_one_time_charge(AgentState& state, const Value& customer_id,
                                    const Value& amount, const Value& description) {
  AgentDatabase& database = state.database;
  const Outcome<std::size_t> customer = customer_at(database, customer_id);
  if (!customer) {
    return raised_by(customer);
  }
  const Outcome<std::optional<std::size_t>> draft =
      find_draft(database, database.customers[*customer]);
  if (!draft) {
    return raised_by(draft);
  }
  std::size_t bill = draft->value_or(database.bills.size());
  if (!*draft) {
    Customer& owner = database.customers.edit(*customer);
    owner.bill_ids.push_back(state.bill_ids.next());
    database.bills.append(draft_bill(owner.bill_ids.back(), owner.customer_id));
  }
  if (!amount.is_number()) {
    return raise_not_comparable("<", type_name(amount), "int");
  }
  Validation validation("LineItem");
  const Place root;
  LineItem item{.date = kToday, .item_type = python_less(amount, Value(0)) ? "Credit" : "Charge"};
  if (auto text =
          text_from(description, Place{.parent = &root, .key = "description"}, validation)) {
    item.description = *std::move(text);
  }
  if (const auto number = real_from(amount, Place{.parent = &root, .key = "amount"}, validation)) {
    item.amount = *number;
  }
  if (!validation.passed()) {
    return raise("ValidationError", validation.text());
  }
  Bill& charged = database.bills.edit(bill);
  charged.total_due += item.amount;
  charged.line_items.push_back(std::move(item));
  return {};
}

}  // namespace unmask::world::telecom
