#include "unmask/world/telecom/telecom_environment.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/sha256.h"
#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/same_text.h"
#include "unmask/world/task.h"
#include "unmask/world/telecom/agent_database.h"
#include "unmask/world/telecom/agent_methods.h"
#include "unmask/world/telecom/agent_state.h"
#include "unmask/world/telecom/method.h"
#include "unmask/world/telecom/overlay_table.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/telecom/python_errors.h"
#include "unmask/world/telecom/record.h"
#include "unmask/world/telecom/records.h"
#include "unmask/world/telecom/update_database.h"
#include "unmask/world/telecom/user_methods.h"
#include "unmask/world/text_buffer.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {
namespace {

template <typename Row>
void append_table(TextBuffer& json, const OverlayTable<Row>& table) {
  json += '[';
  for (std::size_t at = 0; at < table.size(); ++at) {
    if (at > 0) {
      json += ", ";
    }
    if (const RowTexts* texts = table.texts(at)) {
      json += texts->sorted;
    } else {
      append_dump<KeyOrder::sorted>(json, table[at]);
    }
  }
  json += ']';
}

void append_customers(TextBuffer& json, const AgentDatabase& database) {
  if (database.added_bills().empty()) {
    return append_table(json, database.customers);
  }
  json += '[';
  for (std::size_t at = 0; at < database.customers.size(); ++at) {
    if (at > 0) {
      json += ", ";
    }
    const RowTexts* texts = database.customers.texts(at);
    if (texts != nullptr && !database.has_added_bills(at)) {
      json += texts->sorted;
    } else {
      append_dump<KeyOrder::sorted>(json, database.customer_now(at));
    }
  }
  json += ']';
}

/// Whether `same` holds for all customers with all their bills.
template <typename Same>
bool same_customers(const AgentDatabase& left, const AgentDatabase& right, Same same) {
  if (left.added_bills().empty() && right.added_bills().empty()) {
    return left.customers.equals(right.customers, same);
  }
  if (left.customers.size() != right.customers.size()) {
    return false;
  }
  const bool shared = left.customers.shares_rows(right.customers);
  for (std::size_t at = 0; at < left.customers.size(); ++at) {
    const bool as_loaded = shared && !left.has_added_bills(at) && !right.has_added_bills(at);
    if (!as_loaded && !same(left.customer_now(at), right.customer_now(at))) {
      return false;
    }
  }
  return true;
}

/// The agent's database as the text that its hash is taken of.
std::string sorted_dump(const AgentDatabase& database) {
  return built_text([&database](TextBuffer& json) {
    json += "{\"bills\": ";
    append_table(json, database.bills);
    json += ", \"customers\": ";
    append_customers(json, database);
    json += ", \"devices\": ";
    append_table(json, database.devices);
    json += ", \"lines\": ";
    append_table(json, database.lines);
    json += ", \"plans\": ";
    append_table(json, database.plans);
    json += '}';
  });
}

/// Runs a method of either side by its kind and number.
template <auto Tools, auto Functions, typename State>
Outcome<Reply> run_of(const Tool& tool, const MethodCall<State>& call) {
  const auto methods = tool.kind == ToolKind::function ? Functions() : Tools();
  return methods[static_cast<std::size_t>(tool.id)].run(call);
}

}  // namespace

TelecomEnvironment::TelecomEnvironment(std::shared_ptr<const EnvironmentSetup> setup, bool solo,
                                       AgentState agent, UserState user)
    : Environment(std::move(setup), solo), agent_(std::move(agent)), user_(std::move(user)) {}

std::unique_ptr<Environment> TelecomEnvironment::clone() const {
  return std::unique_ptr<Environment>(new TelecomEnvironment(*this));
}

std::string TelecomEnvironment::agent_hash() const {
  return sha256_hex(sorted_dump(agent_.database));
}

std::optional<std::string> TelecomEnvironment::user_hash() const {
  return sha256_hex(dump_of<KeyOrder::sorted>(user_.database));
}

bool TelecomEnvironment::has_same_state(const Environment& other) const {
  const auto* same_world = dynamic_cast<const TelecomEnvironment*>(&other);
  UNMASK_CHECK(same_world != nullptr);
  // Hashes are equal where dumps are; rows and members that nobody touched need neither.
  const auto same = [](const auto& left, const auto& right) {
    return dump_of<KeyOrder::declared>(left) == dump_of<KeyOrder::declared>(right);
  };
  const AgentDatabase& left = agent_.database;
  const AgentDatabase& right = same_world->agent_.database;
  return same(user_.database, same_world->user_.database) && left.bills.equals(right.bills, same) &&
         same_customers(left, right, same) && left.devices.equals(right.devices, same) &&
         left.lines.equals(right.lines, same) && left.plans.equals(right.plans, same);
}

Outcome<void> TelecomEnvironment::sync() {
  Surroundings& around = user_.database.surroundings;
  const Value& phone_number = around.phone_number;
  if (phone_number.is_null()) {
    return {};
  }
  AgentDatabase& database = agent_.database;
  std::optional<AgentDatabase::Synced>& synced = database.synced;
  const std::string* number = phone_number.string();
  if (number == nullptr || !synced || !same_text(synced->phone_number, *number)) {
    const std::optional<std::size_t> at =
        number == nullptr ? std::nullopt : database.line_with_phone(*number);
    if (!at) {
      return raise_value_error("Line with phone number " + python_str(phone_number) + " not found",
                               no_such("line"));
    }
    synced = AgentDatabase::Synced{.phone_number = *number, .line = *at};
    database.lines.watch(*at);
  }
  if (synced->line_revision != database.lines.watched_revision()) {
    if (const Outcome<void> examined = examine_line(); !examined) {
      return raised_by(examined);
    }
  }
  around.line_active = synced->line_active;
  around.roaming_allowed = synced->roaming_allowed;
  around.mobile_data_usage_exceeded = synced->usage_exceeded;
  const std::optional<PaymentRequest>& request = around.payment_request;
  const bool is_settled =
      request ? !request->paid : synced->settled_revision == database.bills.revision();
  return is_settled ? Outcome<void>() : settle_payment(phone_number);
}

Outcome<void> TelecomEnvironment::examine_line() {
  Surroundings& around = user_.database.surroundings;
  const AgentDatabase& database = agent_.database;
  AgentDatabase::Synced& synced = *agent_.database.synced;
  const Line& line = database.lines[synced.line];
  synced.line_revision.reset();
  around.line_active = synced.line_active = line.status == LineStatus::active;
  around.roaming_allowed = synced.roaming_allowed = line.roaming_enabled;
  if (synced.plan_id.empty() || !same_text(synced.plan_id, line.plan_id)) {
    const Outcome<std::size_t> plan = plan_named(database, line.plan_id);
    if (!plan) {
      return raised_by(plan);
    }
    synced.plan_id = line.plan_id;
    synced.plan = *plan;
  }
  if (!line.data_used_gb.is_number()) {
    return raise_not_comparable(">=", type_name(line.data_used_gb), "float");
  }
  synced.usage_exceeded = python_less_equal(
      Value(database.plans[synced.plan].data_limit_gb + line.data_refueling_gb), line.data_used_gb);
  synced.line_revision = database.lines.watched_revision();
  return {};
}

Outcome<void> TelecomEnvironment::settle_payment(const Value& phone_number) {
  AgentDatabase& database = agent_.database;
  std::optional<PaymentRequest>& request = user_.database.surroundings.payment_request;
  if (request && request->paid) {
    const Outcome<std::size_t> bill = bill_named(database, request->bill_id);
    if (!bill) {
      return raised_by(bill);
    }
    database.bills.edit(*bill).status = BillStatus::paid;
    request.reset();
  }
  AgentDatabase::Synced& synced = *database.synced;
  const std::uint64_t revision = database.bills.revision();
  if (request || synced.settled_revision == revision) {
    return {};
  }
  if (!synced.customer) {
    const Outcome<std::size_t> customer = customer_with_phone(database, phone_number);
    if (!customer) {
      return raised_by(customer);
    }
    synced.customer = *customer;
  }
  const Outcome<const Bill*> bill = first_awaiting_payment(database, *synced.customer);
  if (!bill) {
    return raised_by(bill);
  }
  if (*bill == nullptr) {
    synced.settled_revision = revision;
  } else {
    request = PaymentRequest{.bill_id = (*bill)->bill_id, .amount_due = (*bill)->total_due};
  }
  return {};
}

Outcome<void> TelecomEnvironment::merge(const InitializationData& data) {
  if (!data.agent_data.is_null()) {
    Outcome<AgentRows> rows = updated(agent_.database.rows(), data.agent_data);
    if (!rows) {
      return raised_by(rows);
    }
    agent_.database = AgentDatabase(*std::move(rows));
  }
  if (!data.user_data.is_null()) {
    Outcome<UserDatabase> database = updated(user_.database, data.user_data);
    if (!database) {
      return raised_by(database);
    }
    user_.database = *std::move(database);
    user_.vpn_server.aliased_by_phone = false;
  }
  return {};
}

Outcome<std::string> TelecomEnvironment::run_tool(Party owner, const Tool& tool,
                                                  const Arguments& arguments) {
  Outcome<Reply> reply =
      owner == Party::agent
          ? run_of<agent_tools, agent_functions>(tool, AgentCall{agent_, arguments, true})
          : run_of<user_tools, user_functions>(tool, UserCall{user_, arguments, true});
  if (!reply) {
    return raised_by(reply);
  }
  return std::move(reply->text);
}

Outcome<Value> TelecomEnvironment::run_method(Party owner, const Tool& method,
                                              const Arguments& arguments) {
  Outcome<Reply> reply =
      owner == Party::agent
          ? run_of<agent_tools, agent_functions>(method, AgentCall{agent_, arguments, false})
          : run_of<user_tools, user_functions>(method, UserCall{user_, arguments, false});
  if (!reply) {
    return raised_by(reply);
  }
  return reply->is_json ? *parse_json(reply->text) : Value(std::move(reply->text));
}

}  // namespace unmask::world::telecom
