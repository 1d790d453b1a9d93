#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/telecom/bill_ids.h"
#include "unmask/world/telecom/telecom_environment.h"
#include "unmask/world/telecom/telecom_world.h"
#include "unmask/world/value.h"

// A carrier with two invented customers, for the tests of the telecom world.

namespace unmask::world::telecom {

inline constexpr std::string_view kAgentToml = R"(
[[plans]]
plan_id = "P1"
name = "Small"
data_limit_gb = 4.0
price_per_month = 20.0
data_refueling_price_per_gb = 2.5

[[customers]]
customer_id = "C1"
full_name = "Mira Oakfield"
date_of_birth = "1991-03-04"
email = "mira@example.org"
phone_number = "100"
account_status = "Active"
created_at = "2024-05-06T07:08:09"
line_ids = ["L1", "L2"]
bill_ids = ["B1", "B2"]
[customers.address]
street = "1 Reed Lane"
city = "Lowmoor"
state = "XX"
zip_code = "00001"
[[customers.payment_methods]]
method_type = "PayPal"
account_number_last_4 = "0000"
expiration_date = "01/2030"

[[customers]]
customer_id = "C2"
full_name = "Bo Ünal"
date_of_birth = "1980-12-31"
email = "bo@example.org"
phone_number = "200"
created_at = "2024-05-06T00:00:00"
[customers.address]
street = "2 Reed Lane"
city = "Lowmoor"
state = "XX"
zip_code = "00001"

[[lines]]
line_id = "L1"
phone_number = "101"
status = "Active"
plan_id = "P1"
device_id = "D1"
data_used_gb = 3.5

[[lines]]
line_id = "L2"
phone_number = "102"
status = "Closed"
plan_id = "P9"

[[bills]]
bill_id = "B1"
customer_id = "C1"
period_start = "2025-01-01"
period_end = "2025-01-31"
issue_date = "2025-01-02"
due_date = "2025-01-20"
total_due = 20.0
status = "Overdue"

[[bills]]
bill_id = "B2"
customer_id = "C1"
period_start = "2025-02-01"
period_end = "2025-02-28"
issue_date = "2025-02-02"
due_date = "2025-02-20"
total_due = 22.5
status = "Issued"
line_items = [{description = "Plan", amount = 22.5, date = "2025-02-02", item_type = "Plan"}]

[[devices]]
device_id = "D1"
device_type = "phone"
model = "Pebble"
is_esim_capable = false
)";

inline constexpr std::string_view kUserToml = R"(
[device]
battery_level = 50
[device.app_statuses.messaging]
app_name = "messaging"
[device.app_statuses.messaging.permissions]
sms = true
storage = true
[device.app_statuses.atlas]
app_name = "atlas"
)";

/// A fresh environment of this carrier, the user unknown to it.
inline std::unique_ptr<TelecomEnvironment> fixture_environment(
    bool solo = false, BillIds bill_ids = BillIds(BillIdStyle::counted)) {
  auto rows = read_agent_database(kAgentToml, "agent.toml");
  auto user = read_user_database(kUserToml, "user.toml");
  EXPECT_TRUE(rows.has_value() && user.has_value());
  return std::make_unique<TelecomEnvironment>(
      std::make_shared<EnvironmentSetup>(telecom_setup("telecom")), solo,
      AgentState{.database = AgentDatabase(*std::move(rows)), .bill_ids = bill_ids},
      UserState{.database = *std::move(user), .vpn_server = {}});
}

inline CallResult call(Environment& environment, Party party, std::string name,
                       Object arguments = {}) {
  return environment.call(ToolCall{
      .id = "", .name = std::move(name), .arguments = std::move(arguments), .requestor = party});
}

inline std::string content(Environment& environment, Party party, std::string name,
                           Object arguments = {}) {
  return call(environment, party, std::move(name), std::move(arguments)).content;
}

/// What a task's function returned, as JSON, or what it raised.
inline std::string run(Environment& environment, Party party, std::string name,
                       Object arguments = {}) {
  const Outcome<Value> value =
      environment.run(FunctionCall{party, std::move(name), std::move(arguments)});
  return value ? dump_json(*value) : text_of(value.error());
}

/// The environment, its user the one of line L1.
inline std::unique_ptr<TelecomEnvironment> environment_of_l1(bool solo = false) {
  auto environment = fixture_environment(solo);
  EXPECT_EQ(run(*environment, Party::user, "set_user_info",
                {{"name", "Mira Oakfield"}, {"phone_number", "101"}}),
            "null");
  return environment;
}

}  // namespace unmask::world::telecom
