// Speed of the simulated worlds: tool calls of retail and telecom; construction, snapshots, golden
// replay with evaluation of retail.
//
//   world_speed FOLDER_OF_RETAIL_DATA FOLDER_OF_TELECOM_DATA
//
// One line a measurement: name, number of operations, seconds of processor time, operations a
// second. A call that fails unexpectedly ends the run. Memory that is freed stays with the process,
// as it does in one that plays episode after episode: otherwise each round would begin with asking
// the system for it again.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <malloc.h>
#include <time.h>

#include "unmask/base/check.h"
#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/message.h"
#include "unmask/world/retail/retail_base.h"
#include "unmask/world/retail/retail_data.h"
#include "unmask/world/retail/retail_world.h"
#include "unmask/world/task.h"
#include "unmask/world/telecom/agent_database.h"
#include "unmask/world/telecom/telecom_environment.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::world {
namespace {

void report(std::string_view name, std::size_t operations, double seconds) {
  std::printf("%-40.*s %9zu  %10.6f s  %14.0f/s\n", static_cast<int>(name.size()), name.data(),
              operations, seconds, static_cast<double>(operations) / seconds);
}

/// Processor time of this thread, as the original's half counts its own: what else the machine does
/// is not counted.
double processor_seconds() {
  timespec now{};
  UNMASK_CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_since(double start) { return processor_seconds() - start; }

ToolCall call_of(std::string name, Object arguments) {
  return {"c", std::move(name), std::move(arguments), Party::agent};
}

/// Executes each call once on a copy of `fresh`, `rounds` times over; the time is that of the
/// fastest round. `fails`: each call must fail, otherwise none may.
void time_calls(const Environment& fresh, std::string_view name, std::span<const ToolCall> calls,
                std::size_t rounds, bool fails = false) {
  std::vector<double> seconds;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::unique_ptr<Environment> environment = fresh.clone();
    std::size_t failed = 0;
    const double start = processor_seconds();
    for (const ToolCall& call : calls) {
      failed += static_cast<std::size_t>(environment->call(call).error);
    }
    seconds.push_back(seconds_since(start));
    UNMASK_CHECK(failed == (fails ? calls.size() : 0));
  }
  report(name, calls.size(), std::ranges::min(seconds));
}

void time_retail_calls(const retail::RetailWorld& world) {
  const std::unique_ptr<Environment> fresh = std::move(*world.make_environment());
  const retail::Database& database = world.base().database();
  std::vector<ToolCall> orders;
  std::vector<ToolCall> unknown;
  std::vector<ToolCall> users;
  std::vector<ToolCall> emails;
  std::vector<ToolCall> user_addresses;
  std::vector<ToolCall> order_addresses;
  std::vector<ToolCall> cancels;
  std::vector<ToolCall> returns;
  const auto with_address = [](const char* key, const std::string& id) {
    return Object{
        {key, id},       {"address1", "7 Bench Road"}, {"address2", "Unit 2"}, {"city", "Metre"},
        {"state", "ZZ"}, {"country", "USA"},           {"zip", "00000"}};
  };
  for (const retail::Order& order : database.orders) {
    const std::string& id = order.head->order_id;
    orders.push_back(call_of("get_order_details", {{"order_id", id}}));
    unknown.push_back(call_of("get_order_details", {{"order_id", id + "?"}}));
    if (order.status == retail::OrderStatus::pending) {
      order_addresses.push_back(
          call_of("modify_pending_order_address", with_address("order_id", id)));
      cancels.push_back(
          call_of("cancel_pending_order", {{"order_id", id}, {"reason", "no longer needed"}}));
    }
    if (order.status == retail::OrderStatus::delivered) {
      returns.push_back(
          call_of("return_delivered_order_items",
                  {{"order_id", id},
                   {"item_ids", List{order.items->front().item_id}},
                   {"payment_method_id", order.payment_history->front().payment_method_id}}));
    }
  }
  for (const retail::User& user : database.users) {
    users.push_back(call_of("get_user_details", {{"user_id", user.profile->user_id}}));
    emails.push_back(call_of("find_user_id_by_email", {{"email", user.profile->email}}));
    user_addresses.push_back(
        call_of("modify_user_address", with_address("user_id", user.profile->user_id)));
  }
  const std::vector<ToolCall> sums(
      1000, call_of("calculate", {{"expression", "(46.66 + 54.04) * 2 - 1.5"}}));
  time_calls(*fresh, "get_order_details", orders, 100);
  time_calls(*fresh, "get_order_details, unknown id", unknown, 100, true);
  time_calls(*fresh, "get_user_details", users, 100);
  time_calls(*fresh, "find_user_id_by_email", emails, 100);
  time_calls(*fresh, "calculate", sums, 10);
  time_calls(*fresh, "modify_user_address", user_addresses, 40);
  time_calls(*fresh, "modify_pending_order_address", order_addresses, 40);
  time_calls(*fresh, "cancel_pending_order", cancels, 40);
  time_calls(*fresh, "return_delivered_order_items", returns, 40);
}

/// A list of calls, again and again.
std::vector<ToolCall> repeated(const std::vector<ToolCall>& calls, std::size_t times) {
  std::vector<ToolCall> all;
  all.reserve(times * calls.size());
  for (std::size_t time = 0; time < times; ++time) {
    all.insert(all.end(), calls.begin(), calls.end());
  }
  return all;
}

constexpr std::size_t kTelecomRounds = 100;

void time_telecom_agent(const telecom::TelecomEnvironment& fresh) {
  const telecom::AgentDatabase& database = fresh.agent_database();
  const auto with = [](Object object, const char* key, Value value) {
    object.set(key, std::move(value));
    return object;
  };
  std::vector<ToolCall> phones;
  std::vector<ToolCall> ids;
  for (std::size_t at = 0; at < database.lines.size(); ++at) {
    const telecom::Line& line = database.lines[at];
    phones.push_back(call_of("get_customer_by_phone", {{"phone_number", line.phone_number}}));
    ids.push_back(call_of("get_details_by_id", {{"id", line.line_id}}));
  }
  for (std::size_t at = 0; at < database.bills.size(); ++at) {
    ids.push_back(call_of("get_details_by_id", {{"id", database.bills[at].bill_id}}));
  }
  std::vector<ToolCall> customers;
  std::vector<ToolCall> names;
  std::vector<ToolCall> bills;
  std::vector<ToolCall> usages;
  std::vector<ToolCall> suspensions;
  std::vector<ToolCall> roaming;
  std::vector<ToolCall> refuels;
  for (std::size_t at = 0; at < database.customers.size(); ++at) {
    const telecom::Customer& customer = database.customers[at];
    customers.push_back(call_of("get_customer_by_id", {{"customer_id", customer.customer_id}}));
    names.push_back(call_of("get_customer_by_name",
                            {{"full_name", customer.full_name}, {"dob", customer.date_of_birth}}));
    bills.push_back(
        call_of("get_bills_for_customer", {{"customer_id", customer.customer_id}, {"limit", 12}}));
    for (const std::string& line : customer.line_ids) {
      const Object pair{{"customer_id", customer.customer_id}, {"line_id", line}};
      usages.push_back(call_of("get_data_usage", pair));
      roaming.push_back(call_of("enable_roaming", pair));
      roaming.push_back(call_of("disable_roaming", pair));
      refuels.push_back(call_of("refuel_data", with(pair, "gb_amount", 1.0)));
      if (database.lines[*database.lines.find(line)].status == telecom::LineStatus::active) {
        suspensions.push_back(call_of("suspend_line", with(pair, "reason", "travel")));
        suspensions.push_back(call_of("resume_line", pair));
      }
    }
  }
  const auto time = [&fresh](std::string_view name, const std::vector<ToolCall>& calls,
                             std::size_t times) {
    time_calls(fresh, "telecom " + std::string(name), repeated(calls, times), kTelecomRounds);
  };
  time("get_customer_by_phone", phones, 20);
  time("get_customer_by_id", customers, 40);
  time("get_customer_by_name", names, 40);
  time("get_details_by_id", ids, 10);
  time("get_bills_for_customer", bills, 40);
  time("get_data_usage", usages, 20);
  time("suspend_line, resume_line", suspensions, 20);
  time("enable_roaming, disable_roaming", roaming, 20);
  time("refuel_data", refuels, 10);
}

void time_telecom_user(const Environment& fresh) {
  const auto time = [&fresh](std::string_view name, std::vector<ToolCall> calls) {
    for (ToolCall& call : calls) call.requestor = Party::user;
    time_calls(fresh, "telecom " + std::string(name), repeated(calls, 200), kTelecomRounds);
  };
  for (const char* tool :
       {"check_status_bar", "check_network_status", "run_speed_test", "can_send_mms"}) {
    time(tool, {call_of(tool, {})});
  }
  time("check_app_status", {call_of("check_app_status", {{"app_name", "messaging"}})});
  for (const char* tool : {"toggle_airplane_mode", "toggle_data", "toggle_wifi"}) {
    time(tool, {call_of(tool, {})});
  }
  time("set_network_mode_preference",
       {call_of("set_network_mode_preference", {{"mode", "4g_only"}})});
  time("grant_app_permission",
       {call_of("grant_app_permission", {{"app_name", "browser"}, {"permission", "sms"}})});
  time("connect_vpn, disconnect_vpn", {call_of("connect_vpn", {}), call_of("disconnect_vpn", {})});
  time("reboot_device", {call_of("reboot_device", {})});
}

void time_telecom_calls(const World& world) {
  const std::unique_ptr<Environment> made = std::move(*world.make_environment());
  auto& fresh = dynamic_cast<telecom::TelecomEnvironment&>(*made);
  // The user has a line, as in every task.
  const telecom::Customer& customer = fresh.agent_database().customers[0];
  const FunctionCall introduction{
      Party::user,
      "set_user_info",
      {{"name", customer.full_name}, {"phone_number", customer.phone_number}}};
  UNMASK_CHECK(fresh.run(introduction).has_value());
  time_telecom_agent(fresh);
  time_telecom_user(fresh);
}

/// The messages of a run that does exactly what the task wants.
std::vector<Message> golden_messages(const World& world, const Task& task) {
  std::vector<Message> messages;
  const std::unique_ptr<Environment> environment = std::move(*world.make_environment());
  for (const GoldenAction& action : *task.evaluation_criteria->actions) {
    const ToolCall call{"c", action.name, action.arguments, action.requestor};
    Message asked;
    asked.tool_calls = std::vector{call};
    Message answer;
    answer.role = Role::tool;
    answer.id = call.id;
    answer.content = environment->call(call).content;
    messages.push_back(std::move(asked));
    messages.push_back(std::move(answer));
  }
  return messages;
}

void time_tasks(const World& world) {
  std::vector<std::vector<Message>> trajectories;
  for (const Task& task : world.tasks()) trajectories.push_back(golden_messages(world, task));
  constexpr std::size_t kRounds = 20;
  std::size_t calls = 0;
  double start = processor_seconds();
  for (std::size_t round = 0; round < kRounds; ++round) {
    for (const Task& task : world.tasks()) {
      const std::unique_ptr<Environment> environment = std::move(*world.make_environment());
      for (const GoldenAction& action : *task.evaluation_criteria->actions) {
        (void)environment->call({"c", action.name, action.arguments, action.requestor});
        ++calls;
      }
    }
  }
  report("golden calls", calls, seconds_since(start));

  start = processor_seconds();
  EvaluationOptions options;
  options.type = EvaluationType::all_ignore_basis;
  for (std::size_t round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < trajectories.size(); ++i) {
      const Outcome<RewardInfo> info =
          evaluate(world, world.tasks()[i], {trajectories[i], "user_stop", false}, options);
      UNMASK_CHECK(info.has_value() && info->db_match == true);
    }
  }
  report("golden replay and evaluation", trajectories.size() * kRounds, seconds_since(start));
}

/// Bytes that are allocated now.
std::size_t allocated_bytes() {
  const struct mallinfo2 memory = mallinfo2();
  return memory.uordblks + memory.hblkhd;
}

void time_environments(const World& world) {
  constexpr std::size_t kEnvironments = 10000;
  std::vector<std::unique_ptr<Environment>> live;
  live.reserve(kEnvironments);
  const std::size_t before = allocated_bytes();
  double start = processor_seconds();
  for (std::size_t i = 0; i < kEnvironments; ++i) {
    live.push_back(std::move(*world.make_environment()));
  }
  report("construction", kEnvironments, seconds_since(start));
  // Each goes through a task's golden actions, so that it holds changes.
  for (std::size_t i = 0; i < kEnvironments; ++i) {
    const Task& task = world.tasks()[i % world.tasks().size()];
    for (const GoldenAction& action : *task.evaluation_criteria->actions) {
      (void)live[i]->call({"c", action.name, action.arguments, action.requestor});
    }
  }
  std::printf("%-40s %9zu  %10.1f MiB\n", "memory of live environments", kEnvironments,
              static_cast<double>(allocated_bytes() - before) / (1024 * 1024));
  start = processor_seconds();
  std::vector<std::unique_ptr<Environment>> copies;
  copies.reserve(kEnvironments);
  for (const auto& environment : live) copies.push_back(environment->clone());
  report("snapshot", kEnvironments, seconds_since(start));
  start = processor_seconds();
  constexpr std::size_t kHashes = 100;
  for (std::size_t i = 0; i < kHashes; ++i) UNMASK_CHECK(live[i]->agent_hash().size() == 64);
  report("state hash", kHashes, seconds_since(start));
}

std::shared_ptr<const World> loaded(std::string_view name, const char* folder) {
  const double start = processor_seconds();
  Result<std::shared_ptr<const World>> world =
      find_known_world(name)->load(std::filesystem::path(folder), {});
  if (!world) {
    std::fprintf(stderr, "%s\n", world.error().message.c_str());
    return nullptr;
  }
  report("load " + std::string(name), 1, seconds_since(start));
  return *std::move(world);
}

int run(const char* retail_folder, const char* telecom_folder) {
  UNMASK_CHECK(mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max()) == 1);
  const std::shared_ptr<const World> retail = loaded("retail", retail_folder);
  const std::shared_ptr<const World> telecom = loaded("telecom", telecom_folder);
  if (retail == nullptr || telecom == nullptr) return 1;
  time_retail_calls(dynamic_cast<const retail::RetailWorld&>(*retail));
  time_telecom_calls(*telecom);
  time_tasks(*retail);
  time_environments(*retail);
  return 0;
}

}  // namespace
}  // namespace unmask::world

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("world_speed FOLDER_OF_RETAIL_DATA FOLDER_OF_TELECOM_DATA\n", stderr);
    return 2;
  }
  return unmask::world::run(arguments[1], arguments[2]);
}
