#include "unmask/simulate/plan.h"

#include <array>
#include <string_view>
#include <utility>

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

struct LastLook {
  std::string_view assertion;
  std::string_view tool;
};

/// The most demanding first.
constexpr std::array<LastLook, 4> kLastLooks = {{
    {"assert_can_send_mms", "can_send_mms"},
    {"assert_internet_speed", "run_speed_test"},
    {"assert_mobile_data_status", "run_speed_test"},
    {"assert_service_status", "check_status_bar"},
}};

/// The customer's number, as the task tells it to the phone.
const world::Value* phone_number_of(const world::Task& task) {
  if (!task.initial_state) return nullptr;
  for (const world::InitialAction& action : task.initial_state->actions) {
    const world::Value* number = action.function.arguments.find("phone_number");
    if (number != nullptr) return number;
  }
  return nullptr;
}

const world::Value* line_of(const std::vector<world::GoldenAction>& golden) {
  for (const world::GoldenAction& action : golden) {
    const world::Value* line = action.arguments.find("line_id");
    if (line != nullptr) return line;
  }
  return nullptr;
}

bool has(const world::Toolkit* toolkit, std::string_view tool) {
  return toolkit != nullptr && toolkit->find_tool(tool) != nullptr;
}

}  // namespace

std::string_view last_look_of(const world::Task& task) {
  if (!task.evaluation_criteria || !task.evaluation_criteria->env_assertions) return {};
  for (const LastLook& look : kLastLooks) {
    for (const world::Assertion& assertion : *task.evaluation_criteria->env_assertions) {
      if (assertion.function.name == look.assertion) return look.tool;
    }
  }
  return {};
}

std::string_view sign_of(std::string_view phone_tool) {
  for (const Sign& sign : kSigns) {
    if (sign.changes == phone_tool) return sign.shows;
  }
  return {};
}

std::vector<Step> plan_of(const world::World& world, const world::Task& task) {
  std::vector<Step> plan;
  const world::Toolkit& agent = world.setup().agent;
  const world::Toolkit* user = world.setup().user ? &*world.setup().user : nullptr;
  static const std::vector<world::GoldenAction> kNone;
  const std::vector<world::GoldenAction>& golden =
      task.evaluation_criteria && task.evaluation_criteria->actions
          ? *task.evaluation_criteria->actions
          : kNone;
  const world::Value* number = phone_number_of(task);
  if (number != nullptr && has(&agent, "get_customer_by_phone")) {
    plan.push_back({Party::agent, "get_customer_by_phone", {{"phone_number", *number}}});
  }
  const world::Value* line = line_of(golden);
  if (line != nullptr && has(&agent, "get_details_by_id")) {
    plan.push_back({Party::agent, "get_details_by_id", {{"id", *line}}});
  }
  std::string_view seen;
  for (const world::GoldenAction& action : golden) {
    const std::string_view sign = action.requestor == Party::user ? sign_of(action.name) : "";
    // One look serves several changes in a row of what it shows.
    if (!sign.empty() && sign != seen && has(user, sign)) {
      world::Object arguments;
      const world::Value* app = action.arguments.find("app_name");
      if (app != nullptr) arguments.set("app_name", *app);
      plan.push_back({Party::user, std::string(sign), std::move(arguments)});
    }
    seen = sign;
    plan.push_back({action.requestor, action.name, action.arguments, true});
  }
  const std::string_view last = last_look_of(task);
  if (!last.empty() && has(user, last)) {
    plan.push_back({Party::user, std::string(last), {}, false, true});
  }
  return plan;
}

}  // namespace unmask::simulate
