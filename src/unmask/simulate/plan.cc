#include "unmask/simulate/plan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/episode/channel.h"
#include "unmask/play/facts_user.h"
#include "unmask/play/message_rules.h"
#include "unmask/world/environment.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::simulate {
namespace {

struct Sign {
  std::string_view changes;
  std::string_view shows;
};

constexpr std::array<Sign, 14> kSigns = {{
    {"toggle_airplane_mode", "check_network_status"},
    {"toggle_data", "check_network_status"},
    {"toggle_roaming", "check_network_status"},
    {"reseat_sim_card", "check_sim_status"},
    {"reset_apn_settings", "check_apn_settings"},
    {"set_apn_settings", "check_apn_settings"},
    {"set_network_mode_preference", "check_network_mode_preference"},
    {"toggle_data_saver_mode", "check_data_restriction_status"},
    {"disconnect_vpn", "check_vpn_status"},
    {"connect_vpn", "check_vpn_status"},
    {"toggle_wifi", "check_wifi_status"},
    {"toggle_wifi_calling", "check_wifi_calling_status"},
    {"grant_app_permission", "check_app_permissions"},
    {"make_payment", "check_payment_request"},
}};

/// What is looked at on the phone for a kind of trouble, in the order of a support manual.
constexpr std::array<std::string_view, 3> kServiceLooks = {
    "check_network_status", "check_sim_status", "check_apn_settings"};
constexpr std::array<std::string_view, 5> kDataLooks = {
    "check_network_status", "check_sim_status", "check_data_restriction_status",
    "check_network_mode_preference", "check_vpn_status"};
constexpr std::array<std::string_view, 6> kPictureLooks = {
    "check_network_status",      "check_sim_status",      "check_network_mode_preference",
    "check_wifi_calling_status", "check_app_permissions", "check_apn_settings"};

enum class Trouble : std::uint8_t { none, service, data, pictures };

/// By what must hold at the end; the most demanding counts.
Trouble trouble_of(const world::Task& task) {
  Trouble trouble = Trouble::none;
  if (!task.evaluation_criteria || !task.evaluation_criteria->env_assertions) return trouble;
  for (const world::Assertion& assertion : *task.evaluation_criteria->env_assertions) {
    const std::string_view name = assertion.function.name;
    const Trouble each = name == "assert_can_send_mms"         ? Trouble::pictures
                         : name == "assert_mobile_data_status" ? Trouble::data
                         : name == "assert_internet_speed"     ? Trouble::data
                         : name == "assert_service_status"     ? Trouble::service
                                                               : Trouble::none;
    trouble = std::max(trouble, each);
  }
  return trouble;
}

std::span<const std::string_view> looks_for(Trouble trouble) {
  switch (trouble) {
    case Trouble::none:
      break;
    case Trouble::service:
      return kServiceLooks;
    case Trouble::data:
      return kDataLooks;
    case Trouble::pictures:
      return kPictureLooks;
  }
  return {};
}

/// The customer's number, as the task tells it to the phone.
const world::Value* phone_number_of(const world::Task& task) {
  if (!task.initial_state) return nullptr;
  for (const world::InitialAction& action : task.initial_state->actions) {
    const world::Value* number = action.function.arguments.find("phone_number");
    if (number != nullptr) return number;
  }
  return nullptr;
}

bool has(const world::Toolkit* toolkit, std::string_view tool) {
  return toolkit != nullptr && toolkit->find_tool(tool) != nullptr;
}

/// What the company stores of the customer, as look-ups show it.
struct Account {
  world::Value customer_id;
  world::Value line_id;
  std::vector<Step> look_ups;  ///< those that found it
};

/// Looks the customer and their line up, as an agent would, in the task's initial state. nullopt
/// where the world or the task has no such thing.
std::optional<Account> look_up(const world::World& world, const world::Task& task) {
  const world::Value* number = phone_number_of(task);
  if (number == nullptr || !task.initial_state ||
      world.setup().agent.find_tool("get_customer_by_phone") == nullptr) {
    return std::nullopt;
  }
  const auto environment = world.make_environment();
  if (!environment || !world::set_state(**environment, &*task.initial_state, {})) {
    return std::nullopt;
  }
  Account account;
  const auto look = [&](std::string tool, world::Object arguments) -> world::Value {
    const world::CallResult result = (*environment)->call({"", tool, arguments, Party::agent});
    account.look_ups.push_back({Party::agent, std::move(tool), std::move(arguments)});
    return world::parse_json(result.content).value_or(world::Value());
  };
  const world::Value customer = look("get_customer_by_phone", {{"phone_number", *number}});
  const world::Value* id = customer.find("customer_id");
  const world::Value* lines = customer.find("line_ids");
  if (id == nullptr || lines == nullptr || lines->list() == nullptr) return std::nullopt;
  account.customer_id = *id;
  for (const world::Value& line : *lines->list()) {
    const world::Value details = look("get_details_by_id", {{"id", line}});
    const world::Value* line_number = details.find("phone_number");
    if (line_number != nullptr && world::python_equal(*line_number, *number)) {
      account.line_id = line;
      return account;
    }
  }
  return std::nullopt;
}

/// The look-up that goes with a trouble: bills where there is no service, usage where data fail.
Step trouble_look_up(Trouble trouble, const Account& account) {
  if (trouble == Trouble::service) {
    return {Party::agent, "get_bills_for_customer", {{"customer_id", account.customer_id}}};
  }
  return {Party::agent,
          "get_data_usage",
          {{"customer_id", account.customer_id}, {"line_id", account.line_id}}};
}

}  // namespace

std::string_view sign_of(std::string_view phone_tool) {
  for (const Sign& sign : kSigns) {
    if (sign.changes == phone_tool) return sign.shows;
  }
  return {};
}

Plan plan_of(const world::World& world, const world::Task& task) {
  Plan plan;
  const std::optional<world::Toolkit>& phone = world.setup().user;
  const world::Toolkit* user = phone ? &*phone : nullptr;
  const std::span<const world::GoldenAction> golden = play::golden_actions(task);
  const Trouble trouble = trouble_of(task);
  const std::optional<Account> account = look_up(world, task);
  if (account) {
    plan.steps = account->look_ups;
    plan.steps.push_back(trouble_look_up(trouble, *account));
    plan.refuge = Step{Party::agent, "get_details_by_id", {{"id", account->line_id}}};
  }
  const std::span<const std::string_view> looks =
      user == nullptr ? std::span<const std::string_view>() : looks_for(trouble);
  std::size_t looked = 0;
  std::string_view seen;
  const auto look = [&](std::string_view sign) {
    world::Object arguments;
    if (sign == "check_app_permissions") arguments.set("app_name", "messaging");
    if (has(user, sign)) plan.steps.push_back({Party::user, std::string(sign), arguments});
    seen = sign;
  };
  for (const world::GoldenAction& action : golden) {
    const std::string_view sign = action.requestor == Party::user ? sign_of(action.name) : "";
    // All that the manual has before it is looked at first: nobody knows yet that it is in order.
    const auto place =
        std::find(looks.begin() + static_cast<std::ptrdiff_t>(looked), looks.end(), sign);
    if (place != looks.end()) {
      for (const auto until = static_cast<std::size_t>(place - looks.begin()); looked <= until;) {
        look(looks[looked++]);
      }
    } else if (!sign.empty() && sign != seen) {
      look(sign);
    }
    plan.steps.push_back({action.requestor, action.name, action.arguments, true});
    if (plan.refuge && action.requestor == Party::agent && !action.arguments.empty() &&
        action.name != play::kHandOver) {
      plan.steps.push_back(*plan.refuge);
    }
  }
  return plan;
}

}  // namespace unmask::simulate
