#include "unmask/world/reward_info.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unmask/world/message.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

double reward_of(bool met) { return met ? 1.0 : 0.0; }

Value or_null(const std::optional<std::string>& text) { return text ? Value(*text) : Value(); }

Value texts(const std::vector<std::string>& list) {
  List values;
  for (const std::string& text : list) values.emplace_back(text);
  return values;
}

Value check_value(const AssertionCheck& check) {
  const Assertion& assertion = check.assertion;
  return Object{{"env_assertion", Object{{"env_type", requestor_name(assertion.function.party)},
                                         {"func_name", assertion.function.name},
                                         {"arguments", assertion.function.arguments},
                                         {"assert_value", assertion.expected},
                                         {"message", or_null(assertion.message)}}},
                {"met", check.met},
                {"reward", reward_of(check.met)}};
}

Value check_value(const ActionCheck& check) {
  const GoldenAction& action = check.action;
  return Object{{"action", Object{{"action_id", action.id},
                                  {"requestor", requestor_name(action.requestor)},
                                  {"name", action.name},
                                  {"arguments", action.arguments},
                                  {"info", or_null(action.info)},
                                  {"compare_args",
                                   action.compare_args ? texts(*action.compare_args) : Value()}}},
                {"action_match", check.match},
                {"action_reward", reward_of(check.match)},
                {"tool_type", check.kind ? Value(name_of(*check.kind)) : Value()}};
}

Value check_value(const NlCheck& check) {
  return Object{{"nl_assertion", check.assertion},
                {"met", check.met},
                {"justification", check.justification}};
}

Value check_value(const CommunicateCheck& check) {
  return Object{{"info", check.info}, {"met", check.met}, {"justification", check.justification}};
}

template <typename Check>
Value checks_value(const std::optional<std::vector<Check>>& checks) {
  if (!checks) return {};
  List values;
  for (const Check& check : *checks) values.push_back(check_value(check));
  return values;
}

}  // namespace

Value to_value(const RewardInfo& info) {
  Object value;
  value.append("reward", info.reward ? Value(*info.reward) : Value());
  value.append("db_check", info.db_match ? Value(Object{{"db_match", *info.db_match},
                                                        {"db_reward", reward_of(*info.db_match)}})
                                         : Value());
  value.append("env_assertions", checks_value(info.env_assertions));
  value.append("action_checks", checks_value(info.action_checks));
  value.append("nl_assertions", checks_value(info.nl_assertions));
  value.append("communicate_checks", checks_value(info.communicate_checks));
  Value basis;
  if (info.reward_basis) {
    List names;
    for (const RewardPart part : *info.reward_basis) names.emplace_back(name_of(part));
    basis = std::move(names);
  }
  value.append("reward_basis", std::move(basis));
  Value breakdown;
  if (info.breakdown) {
    Object parts;
    for (const PartReward& part : *info.breakdown) {
      parts.append(std::string(name_of(part.part)), part.reward);
    }
    breakdown = std::move(parts);
  }
  value.append("reward_breakdown", std::move(breakdown));
  value.append("info", info.info);
  return value;
}

}  // namespace unmask::world
