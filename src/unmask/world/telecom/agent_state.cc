#include "unmask/world/telecom/agent_state.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/world/outcome.h"
#include "unmask/world/same_text.h"
#include "unmask/world/telecom/agent_database.h"
#include "unmask/world/telecom/overlay_table.h"
#include "unmask/world/telecom/python_errors.h"
#include "unmask/world/text_buffer.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {
namespace {

/// Out of line: the texts are rarely made, and a function that has them in its midst is slower.
[[gnu::noinline, gnu::cold]] Outcome<std::size_t> raise_no_row(std::string_view id,
                                                               std::string_view kind,
                                                               std::string_view entity) {
  return raise_value_error(concatenated({kind, " with ID ", id, " not found"}), no_such(entity));
}
[[gnu::noinline, gnu::cold]] Outcome<std::size_t> raise_not_of_customer(const Value& customer_id,
                                                                        const Value& line_id) {
  return raise_value_error(
      "Line " + python_str(line_id) + " not found for customer " + python_str(customer_id),
      no_such("line"));
}

template <typename Row>
Outcome<std::size_t> row_at(const OverlayTable<Row>& table, std::string_view id,
                            std::string_view kind, std::string_view entity) {
  if (const std::optional<std::size_t> at = table.find(id)) {
    return *at;
  }
  return raise_no_row(id, kind, entity);
}

template <typename Row>
Outcome<std::size_t> row_at(const OverlayTable<Row>& table, const Value& id, std::string_view kind,
                            std::string_view entity) {
  if (const std::string* text = id.string()) {
    return row_at(table, std::string_view(*text), kind, entity);
  }
  return raise_no_row(python_str(id), kind, entity);
}

Bill new_draft(std::string bill_id, std::string customer_id) {
  return {.bill_id = std::move(bill_id),
          .customer_id = std::move(customer_id),
          .period_start = {.year = 2025, .month = 3, .day = 1},
          .period_end = {.year = 2025, .month = 3, .day = 31},
          .issue_date = {.year = 2025, .month = 3, .day = 1},
          .due_date = {.year = 2025, .month = 3, .day = 15}};
}

/// Lets `take(place)` see the customer's bills in the order in which it lists them, until it
/// returns false. A bill that the database lacks is raised where the search comes to it.
template <typename Take>
Outcome<void> visit_bills(const AgentDatabase& database, std::size_t customer, Take take) {
  const std::span<const std::size_t> loaded = database.loaded_bills(customer);
  for (const std::size_t bill : loaded) {
    if (!take(bill)) {
      return {};
    }
  }
  const std::vector<std::string>& ids = database.customers[customer].bill_ids;
  for (std::size_t at = loaded.size(); at < ids.size(); ++at) {
    const Outcome<std::size_t> bill = bill_named(database, ids[at]);
    if (!bill) {
      return raised_by(bill);
    }
    if (!take(*bill)) {
      return {};
    }
  }
  for (const AgentDatabase::AddedBill& added : database.added_bills()) {
    if (added.customer == customer && !take(added.bill)) {
      return {};
    }
  }
  return {};
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
    return raised_by(customer);
  }
  return line_of_customer(database, *customer, customer_id, line_id);
}

Outcome<std::size_t> line_of_customer(const AgentDatabase& database, std::size_t customer,
                                      const Value& customer_id, const Value& line_id) {
  if (const std::string* id = line_id.string()) {
    const std::vector<std::string>& own = database.customers[customer].line_ids;
    const std::span<const std::size_t> loaded = database.loaded_lines(customer);
    for (std::size_t at = 0; at < own.size(); ++at) {
      if (same_text(own[at], *id)) {
        return at < loaded.size() ? Outcome<std::size_t>(loaded[at]) : line_at(database, line_id);
      }
    }
  }
  return raise_not_of_customer(customer_id, line_id);
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

Outcome<std::vector<std::size_t>> bills_of(const AgentDatabase& database, std::size_t customer) {
  std::vector<std::size_t> bills;
  bills.reserve(database.customers[customer].bill_ids.size() + database.added_bills().size());
  const Outcome<void> visited = visit_bills(database, customer, [&bills](std::size_t bill) {
    bills.push_back(bill);
    return true;
  });
  if (!visited) {
    return raised_by(visited);
  }
  return bills;
}

Outcome<const Bill*> first_awaiting_payment(const AgentDatabase& database, std::size_t customer) {
  const Bill* first = nullptr;
  const Outcome<void> visited = visit_bills(database, customer, [&](std::size_t at) {
    const Bill& bill = database.bills[at];
    if (first == nullptr && bill.status == BillStatus::awaiting_payment) {
      first = &bill;
    }
    return true;
  });
  if (!visited) {
    return raised_by(visited);
  }
  return first;
}

Outcome<std::size_t> draft_bill_of(AgentState& state, std::size_t customer) {
  AgentDatabase& database = state.database;
  const auto known = std::ranges::find(database.drafts, customer, &AgentDatabase::Draft::customer);
  if (known != database.drafts.end()) {
    if (database.bills[known->bill].status == BillStatus::draft) {
      return known->bill;
    }
    database.drafts.erase(known);
  }
  std::optional<std::size_t> draft;
  const Outcome<void> visited = visit_bills(database, customer, [&](std::size_t bill) {
    if (database.bills[bill].status == BillStatus::draft) {
      draft = bill;
    }
    return !draft;
  });
  if (!visited) {
    return raised_by(visited);
  }
  if (!draft) {
    draft = database.bills.size();
    database.add_bill(customer,
                      new_draft(state.bill_ids.next(), database.customers[customer].customer_id));
    if (database.added_bills().back().bill != *draft) {
      return *draft;  // another bill has its id: the list does not lead to it
    }
  }
  database.drafts.push_back({customer, *draft});
  return *draft;
}

void add_item(Bill& bill, double amount, std::string description) {
  bill.total_due += amount;
  bill.line_items.push_back({.description = std::move(description),
                             .amount = amount,
                             .date = kToday,
                             .item_type = amount < 0 ? "Credit" : "Charge"});
}

}  // namespace unmask::world::telecom
