// Speed of the simulated worlds: tool calls, construction, snapshots, golden replay with
// evaluation.
//
//   world_speed FOLDER_OF_RETAIL_DATA
//
// One line a measurement: name, number of operations, seconds, operations a second. Answers are
// checked: a call that fails unexpectedly ends the run.

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/message.h"
#include "unmask/world/retail/retail_base.h"
#include "unmask/world/retail/retail_data.h"
#include "unmask/world/retail/retail_world.h"
#include "unmask/world/task.h"
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

/// Executes each call once on a fresh environment, `rounds` times over; the time is that of the
/// median round. `fails`: each call must fail, otherwise none may.
void time_calls(const World& world, std::string_view name, std::span<const ToolCall> calls,
                std::size_t rounds, bool fails = false) {
  std::vector<double> seconds;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::unique_ptr<Environment> environment = std::move(*world.make_environment());
    std::size_t failed = 0;
    const double start = processor_seconds();
    for (const ToolCall& call : calls) {
      failed += static_cast<std::size_t>(environment->call(call).error);
    }
    seconds.push_back(seconds_since(start));
    UNMASK_CHECK(failed == (fails ? calls.size() : 0));
  }
  std::ranges::nth_element(seconds, seconds.begin() + static_cast<std::ptrdiff_t>(rounds / 2));
  report(name, calls.size(), seconds[rounds / 2]);
}

void time_tools(const retail::RetailWorld& world) {
  const retail::Database& database = world.base().database();
  std::vector<ToolCall> orders;
  std::vector<ToolCall> unknown;
  std::vector<ToolCall> users;
  std::vector<ToolCall> emails;
  std::vector<ToolCall> items;
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
  for (const retail::Product& product : database.products) {
    for (const retail::Variant& variant : product.variants) {
      items.push_back(call_of("get_item_details", {{"item_id", variant.item_id}}));
    }
  }
  const std::vector<ToolCall> sums(
      1000, call_of("calculate", {{"expression", "(46.66 + 54.04) * 2 - 1.5"}}));
  time_calls(world, "get_order_details", orders, 100);
  time_calls(world, "get_order_details, unknown id", unknown, 100, true);
  time_calls(world, "get_user_details", users, 100);
  time_calls(world, "get_item_details", items, 100);
  time_calls(world, "find_user_id_by_email", emails, 100);
  time_calls(world, "calculate", sums, 10);
  time_calls(world, "modify_user_address", user_addresses, 40);
  time_calls(world, "modify_pending_order_address", order_addresses, 40);
  time_calls(world, "cancel_pending_order", cancels, 40);
  time_calls(world, "return_delivered_order_items", returns, 40);
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

std::size_t resident_kib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    std::size_t kib = 0;
    if (word == "VmRSS:" && status >> kib) return kib;
  }
  return 0;
}

void time_environments(const World& world) {
  constexpr std::size_t kEnvironments = 10000;
  std::vector<std::unique_ptr<Environment>> live;
  live.reserve(kEnvironments);
  const std::size_t before_kib = resident_kib();
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
              static_cast<double>(resident_kib() - before_kib) / 1024);
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

int run(const char* folder) {
  const double start = processor_seconds();
  const Result<std::shared_ptr<const World>> loaded =
      retail::load_retail(std::filesystem::path(folder));
  if (!loaded) {
    std::fprintf(stderr, "%s\n", loaded.error().message.c_str());
    return 1;
  }
  report("load", 1, seconds_since(start));
  const auto& world = dynamic_cast<const retail::RetailWorld&>(**loaded);
  time_tools(world);
  time_tasks(world);
  time_environments(world);
  return 0;
}

}  // namespace
}  // namespace unmask::world

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("world_speed FOLDER_OF_RETAIL_DATA\n", stderr);
    return 2;
  }
  return unmask::world::run(arguments[1]);
}
