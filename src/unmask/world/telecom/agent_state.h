#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/world/outcome.h"
#include "unmask/world/telecom/agent_database.h"
#include "unmask/world/telecom/bill_ids.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {

/// What the agent's side of an environment keeps.
struct AgentState {
  AgentDatabase database;
  BillIds bill_ids;
};

// Look-ups by an argument, which may be of any type: places in the tables. They raise ValueError,
// as the original words it, where nothing is found.

[[nodiscard]] Outcome<std::size_t> customer_at(const AgentDatabase& database, const Value& id);
[[nodiscard]] Outcome<std::size_t> line_at(const AgentDatabase& database, const Value& id);
[[nodiscard]] Outcome<std::size_t> bill_at(const AgentDatabase& database, const Value& id);
[[nodiscard]] Outcome<std::size_t> device_at(const AgentDatabase& database, const Value& id);
[[nodiscard]] Outcome<std::size_t> plan_at(const AgentDatabase& database, const Value& id);
[[nodiscard]] Outcome<std::size_t> bill_named(const AgentDatabase& database, std::string_view id);
[[nodiscard]] Outcome<std::size_t> plan_named(const AgentDatabase& database, std::string_view id);

/// A line that must be one of the customer's.
[[nodiscard]] Outcome<std::size_t> line_of_customer(const AgentDatabase& database,
                                                    const Value& customer_id, const Value& line_id);
[[nodiscard]] Outcome<std::size_t> line_of_customer(const AgentDatabase& database,
                                                    std::size_t customer, const Value& customer_id,
                                                    const Value& line_id);

/// The first customer with this number, own or of a line.
[[nodiscard]] Outcome<std::size_t> customer_with_phone(const AgentDatabase& database,
                                                       const Value& phone_number);

/// A customer's bills in the order in which it lists them.
[[nodiscard]] Outcome<std::vector<std::size_t>> bills_of(const AgentDatabase& database,
                                                         std::size_t customer);

/// The customer's first bill that awaits payment; null if there is none. Raises for any that the
/// database lacks.
[[nodiscard]] Outcome<const Bill*> first_awaiting_payment(const AgentDatabase& database,
                                                          std::size_t customer);

/// The place of the customer's first draft bill; a new one if it has none.
[[nodiscard]] Outcome<std::size_t> draft_bill_of(AgentState& state, std::size_t customer);

/// Adds an item of today to a bill.
void add_item(Bill& bill, double amount, std::string description);

/// The day on which everything in this world happens.
inline constexpr Date kToday{.year = 2025, .month = 2, .day = 25};

}  // namespace unmask::world::telecom
