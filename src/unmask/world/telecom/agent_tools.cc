#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/world/json_dump.h"
#include "unmask/world/outcome.h"
#include "unmask/world/python_number.h"
#include "unmask/world/python_text.h"
#include "unmask/world/telecom/agent_database.h"
#include "unmask/world/telecom/agent_methods.h"
#include "unmask/world/telecom/agent_state.h"
#include "unmask/world/telecom/method.h"
#include "unmask/world/telecom/overlay_table.h"
#include "unmask/world/telecom/python_errors.h"
#include "unmask/world/telecom/record.h"
#include "unmask/world/telecom/records.h"
#include "unmask/world/text_buffer.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {
namespace {

constexpr std::string_view kCycleEnd = "2025-02-28";

template <typename Row>
void append_row(TextBuffer& out, const OverlayTable<Row>& table, std::size_t at) {
  if (const RowTexts* texts = table.texts(at)) {
    out += texts->declared;
  } else {
    append_dump<KeyOrder::declared>(out, table[at]);
  }
}

/// A customer with all its bills.
void append_customer(TextBuffer& out, const AgentDatabase& database, std::size_t at) {
  if (database.has_added_bills(at)) {
    append_dump<KeyOrder::declared>(out, database.customer_now(at));
  } else {
    append_row(out, database.customers, at);
  }
}

template <typename Row>
Outcome<Reply> row_reply(const OverlayTable<Row>& table, std::size_t at) {
  if (const RowTexts* texts = table.texts(at)) {
    return json_reply(std::string_view(texts->declared));
  }
  return json_reply(dump_of<KeyOrder::declared>(table[at]));
}

Outcome<Reply> customer_reply(const AgentDatabase& database, std::size_t at) {
  return database.has_added_bills(at)
             ? json_reply(dump_of<KeyOrder::declared>(database.customer_now(at)))
             : row_reply(database.customers, at);
}

/// Rows as a JSON array; `append(json, place)` appends one.
template <typename Append>
Outcome<Reply> list_reply(std::span<const std::size_t> places, Append append) {
  return json_reply(built_text([&](TextBuffer& json) {
    json += '[';
    for (const std::size_t& at : places) {
      if (&at != places.data()) {
        json += ", ";
      }
      append(json, at);
    }
    json += ']';
  }));
}

/// A value of a plain dict: in a tool message its numbers and booleans become strings, at any
/// depth.
void append_plain(TextBuffer& json, double value, bool for_message) {
  if (for_message) {
    json += '"';
    append_python_float(json, value);
    json += '"';
  } else {
    append_json_float(json, value);
  }
}

void append_plain(TextBuffer& json, const Value& value, bool for_message) {
  if (!for_message) {
    append_json(json, value);
  } else if (const double* real = value.real()) {
    append_plain(json, *real, for_message);
  } else if (value.is_number()) {
    append_json_string(json, python_str(value));
  } else if (const List* list = value.list()) {
    json += '[';
    for (const Value& element : *list) {
      if (&element != list->data()) {
        json += ", ";
      }
      append_plain(json, element, for_message);
    }
    json += ']';
  } else if (const Object* object = value.object()) {
    json += '{';
    bool first = true;
    for (const Member& member : *object) {
      if (!first) {
        json += ", ";
      }
      first = false;
      append_json_string(json, member.key);
      json += ": ";
      append_plain(json, member.value, for_message);
    }
    json += '}';
  } else {
    append_json(json, value);
  }
}

Outcome<Reply> message_and_line(std::string_view message, const Line& line) {
  return json_reply(built_text([&](TextBuffer& json) {
    json += "{\"message\": ";
    append_json_string(json, message);
    json += ", \"line\": ";
    append_dump<KeyOrder::declared>(json, line);
    json += '}';
  }));
}

Outcome<Reply> get_customer_by_phone(const AgentCall& call) {
  const Outcome<std::size_t> customer = customer_with_phone(call.state.database, call.argument(0));
  if (!customer) {
    return raised_by(customer);
  }
  return customer_reply(call.state.database, *customer);
}

Outcome<Reply> get_customer_by_id(const AgentCall& call) {
  const Outcome<std::size_t> customer = customer_at(call.state.database, call.argument(0));
  if (!customer) {
    return raised_by(customer);
  }
  return customer_reply(call.state.database, *customer);
}

Outcome<Reply> get_customer_by_name(const AgentCall& call) {
  const OverlayTable<Customer>& customers = call.state.database.customers;
  const std::string* name = call.argument(0).string();
  if (name == nullptr && customers.size() > 0) {
    return raise_no_attribute(call.argument(0), "lower");
  }
  const std::string* date_of_birth = call.argument(1).string();
  std::vector<std::size_t> found;
  if (name != nullptr && date_of_birth != nullptr) {
    const std::string lower = python_lower(*name);
    for (std::size_t at = 0; at < customers.size(); ++at) {
      if (customers[at].date_of_birth == *date_of_birth &&
          python_lower(customers[at].full_name) == lower) {
        found.push_back(at);
      }
    }
  }
  return list_reply(found, [&call](TextBuffer& json, std::size_t at) {
    append_customer(json, call.state.database, at);
  });
}

template <typename Row>
Outcome<Reply> details(const OverlayTable<Row>& table, const Outcome<std::size_t>& at) {
  if (!at) {
    return raised_by(at);
  }
  return row_reply(table, *at);
}

Outcome<Reply> get_details_by_id(const AgentCall& call) {
  const AgentDatabase& database = call.state.database;
  const Value& id = call.argument(0);
  const std::string* text = id.string();
  if (text == nullptr) {
    return raise_no_attribute(id, "startswith");
  }
  switch (text->empty() ? '\0' : text->front()) {
    case 'L':
      return details(database.lines, line_at(database, id));
    case 'D':
      return details(database.devices, device_at(database, id));
    case 'B':
      return details(database.bills, bill_at(database, id));
    case 'C':
      return get_customer_by_id(call);
    case 'P':
      return details(database.plans, plan_at(database, id));
    default:
      return raise_value_error("Unknown ID format or type: " + *text, bad_argument("bad_value"));
  }
}

Outcome<Reply> suspend_line(const AgentCall& call) {
  AgentDatabase& database = call.state.database;
  const Outcome<std::size_t> at = line_of_customer(database, call.argument(0), call.argument(1));
  if (!at) {
    return raised_by(at);
  }
  if (database.lines[*at].status != LineStatus::active) {
    return raise_value_error("Line must be active to suspend", refused_by("line_status"));
  }
  Line& line = database.lines.edit(*at);
  line.status = LineStatus::suspended;
  line.suspension_start_date = kToday;
  return message_and_line("Line suspended successfully. $5/month holding fee will apply.", line);
}

Outcome<Reply> resume_line(const AgentCall& call) {
  AgentDatabase& database = call.state.database;
  const Outcome<std::size_t> at = line_of_customer(database, call.argument(0), call.argument(1));
  if (!at) {
    return raised_by(at);
  }
  const LineStatus status = database.lines[*at].status;
  if (status != LineStatus::suspended && status != LineStatus::pending_activation) {
    return raise_value_error("Line must be suspended to resume", refused_by("line_status"));
  }
  Line& line = database.lines.edit(*at);
  line.status = LineStatus::active;
  line.suspension_start_date.reset();
  return message_and_line("Line resumed successfully", line);
}

/// How many of `size` elements Python's `[:limit]` keeps.
Outcome<std::size_t> slice_length(const Value& limit, std::size_t size) {
  if (limit.is_null()) {
    return size;
  }
  if (const bool* truth = limit.boolean()) {
    return std::min<std::size_t>(*truth ? 1 : 0, size);
  }
  if (const LargeInteger* large = limit.large_integer()) {
    return large->digits.starts_with('-') ? 0 : size;
  }
  const std::int64_t* count = limit.integer();
  if (count == nullptr) {
    return raise("TypeError", "slice indices must be integers or None or have an __index__ method");
  }
  const auto available = static_cast<std::int64_t>(size);
  const std::int64_t kept =
      *count < 0 ? std::max<std::int64_t>(available + std::max(*count, -available), 0)
                 : std::min(*count, available);
  return static_cast<std::size_t>(kept);
}

Outcome<Reply> get_bills_for_customer(const AgentCall& call) {
  const AgentDatabase& database = call.state.database;
  const Outcome<std::size_t> customer = customer_at(database, call.argument(0));
  if (!customer) {
    return raised_by(customer);
  }
  Outcome<std::vector<std::size_t>> bills = bills_of(database, *customer);
  if (!bills) {
    return raised_by(bills);
  }
  std::ranges::stable_sort(*bills, std::ranges::greater{},
                           [&database](std::size_t at) { return database.bills[at].issue_date; });
  const Value* limit = call.arguments.find(1);
  const Outcome<std::size_t> kept =
      slice_length(limit == nullptr ? Value(12) : *limit, bills->size());
  if (!kept) {
    return raised_by(kept);
  }
  return list_reply(std::span(*bills).first(*kept), [&database](TextBuffer& json, std::size_t at) {
    append_row(json, database.bills, at);
  });
}

Outcome<Reply> send_payment_request(const AgentCall& call) {
  AgentDatabase& database = call.state.database;
  const Value& customer_id = call.argument(0);
  const Value& bill_id = call.argument(1);
  const Outcome<std::size_t> customer = customer_at(database, customer_id);
  if (!customer) {
    return raised_by(customer);
  }
  const Outcome<const Bill*> awaiting = first_awaiting_payment(database, *customer);
  if (!awaiting) {
    return raised_by(awaiting);
  }
  if (*awaiting != nullptr) {
    return raise_value_error("A bill is already awaiting payment for this customer",
                             refused_by("bill_status"));
  }
  const std::string* id = bill_id.string();
  if (id == nullptr || !database.lists_bill(*customer, *id)) {
    return raise_value_error(
        "Bill " + python_str(bill_id) + " not found for customer " + python_str(customer_id),
        no_such("bill"));
  }
  const Outcome<std::size_t> bill = bill_at(database, bill_id);
  if (!bill) {
    return raised_by(bill);
  }
  database.bills.edit(*bill).status = BillStatus::awaiting_payment;
  return text_reply("Payment request sent to the customer for bill " + *id);
}

Outcome<Reply> get_data_usage(const AgentCall& call) {
  const AgentDatabase& database = call.state.database;
  const Outcome<std::size_t> at = line_of_customer(database, call.argument(0), call.argument(1));
  if (!at) {
    return raised_by(at);
  }
  const Line& line = database.lines[*at];
  const Outcome<std::size_t> plan = plan_named(database, line.plan_id);
  if (!plan) {
    return raised_by(plan);
  }
  return json_reply(built_text([&](TextBuffer& json) {
    json += "{\"line_id\": ";
    append_json_string(json, line.line_id);
    json += ", \"data_used_gb\": ";
    append_plain(json, line.data_used_gb, call.for_message);
    json += ", \"data_limit_gb\": ";
    append_plain(json, database.plans[*plan].data_limit_gb, call.for_message);
    json += ", \"data_refueling_gb\": ";
    append_plain(json, line.data_refueling_gb, call.for_message);
    json += ", \"cycle_end_date\": ";
    append_json_string(json, kCycleEnd);
    json += '}';
  }));
}

Outcome<Reply> set_roaming(const AgentCall& call, bool enabled) {
  AgentDatabase& database = call.state.database;
  const Outcome<std::size_t> at = line_of_customer(database, call.argument(0), call.argument(1));
  if (!at) {
    return raised_by(at);
  }
  if (database.lines[*at].roaming_enabled == enabled) {
    return text_reply(enabled ? "Roaming was already enabled" : "Roaming was already disabled");
  }
  database.lines.edit(*at).roaming_enabled = enabled;
  return text_reply(enabled ? "Roaming enabled successfully" : "Roaming disabled successfully");
}

Outcome<Reply> enable_roaming(const AgentCall& call) { return set_roaming(call, true); }
Outcome<Reply> disable_roaming(const AgentCall& call) { return set_roaming(call, false); }

Outcome<Reply> transfer_to_human_agents(const AgentCall& /*call*/) {
  return text_reply("Transfer successful");
}

Outcome<Reply> refuel_data(const AgentCall& call) {
  AgentDatabase& database = call.state.database;
  const Value& gb_amount = call.argument(2);
  const Outcome<std::size_t> customer = customer_at(database, call.argument(0));
  if (!customer) {
    return raised_by(customer);
  }
  const Outcome<std::size_t> at =
      line_of_customer(database, *customer, call.argument(0), call.argument(1));
  if (!at) {
    return raised_by(at);
  }
  if (!gb_amount.is_number()) {
    return raise_not_comparable("<=", type_name(gb_amount), "int");
  }
  const double* real = gb_amount.real();
  if (real != nullptr ? *real <= 0 : python_less_equal(gb_amount, Value(0.0))) {
    return raise_value_error("Refuel amount must be positive", bad_argument("bad_value"));
  }
  const Outcome<std::size_t> plan = plan_named(database, database.lines[*at].plan_id);
  if (!plan) {
    return raised_by(plan);
  }
  const double price = database.plans[*plan].data_refueling_price_per_gb;
  const std::optional<double> amount = to_double(gb_amount);
  if (!amount) {
    return raise_too_large();
  }
  const double charge = *amount * price;
  Line& line = database.lines.edit(*at);
  line.data_refueling_gb += *amount;
  const double refueled = line.data_refueling_gb;
  const auto append_gb = [&](TextBuffer& text) {
    if (real != nullptr) {
      append_python_float(text, *real);
    } else {
      text += std::string_view(python_str(gb_amount));
    }
  };
  const Outcome<std::size_t> bill = draft_bill_of(call.state, *customer);
  if (!bill) {
    return raised_by(bill);
  }
  add_item(database.bills.amend(*bill), charge, built_text([&](TextBuffer& text) {
             text += "Data refueling: ";
             append_gb(text);
             text += " GB at $";
             append_python_float(text, price);
             text += "/GB";
           }));
  return json_reply(built_text([&](TextBuffer& json) {
    json += "{\"message\": \"Successfully added ";
    append_gb(json);
    json += " GB of data for line ";
    append_json_text(json, *call.argument(1).string());  // as it is one of the customer's
    json += " for $";
    append_two_decimals(json, charge);
    json += "\", \"new_data_refueling_gb\": ";
    append_plain(json, refueled, call.for_message);
    json += ", \"charge\": ";
    append_plain(json, charge, call.for_message);
    json += '}';
  }));
}

}  // namespace

std::span<const AgentMethod> agent_tools() {
  using enum ToolKind;
  static const std::vector<AgentMethod> kTools{
      {"get_customer_by_phone", read, {"phone_number"}, get_customer_by_phone, {}},
      {"get_customer_by_id", read, {"customer_id"}, get_customer_by_id, {}},
      {"get_customer_by_name", read, {"full_name", "dob"}, get_customer_by_name, {}},
      {"get_details_by_id", read, {"id"}, get_details_by_id, {}},
      {"suspend_line", write, {"customer_id", "line_id", "reason"}, suspend_line, {}},
      {"resume_line", write, {"customer_id", "line_id"}, resume_line, {}},
      {"get_bills_for_customer",
       read,
       {"customer_id", "limit="},
       get_bills_for_customer,
       R"({"properties": {"customer_id": {"title": "Customer Id", "type": "string"},
           "limit": {"default": 12, "title": "Limit", "type": "integer"}},
           "required": ["customer_id"], "title": "parameters", "type": "object"})"},
      {"send_payment_request", write, {"customer_id", "bill_id"}, send_payment_request, {}},
      {"get_data_usage", read, {"customer_id", "line_id"}, get_data_usage, {}},
      {"enable_roaming", write, {"customer_id", "line_id"}, enable_roaming, {}},
      {"disable_roaming", write, {"customer_id", "line_id"}, disable_roaming, {}},
      {"transfer_to_human_agents", generic, {"summary"}, transfer_to_human_agents, {}},
      {"refuel_data",
       write,
       {"customer_id", "line_id", "gb_amount"},
       refuel_data,
       R"({"properties": {"customer_id": {"title": "Customer Id", "type": "string"},
           "line_id": {"title": "Line Id", "type": "string"},
           "gb_amount": {"title": "Gb Amount", "type": "number"}},
           "required": ["customer_id", "line_id", "gb_amount"], "title": "parameters",
           "type": "object"})"},
  };
  return kTools;
}

}  // namespace unmask::world::telecom
