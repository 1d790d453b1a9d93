#include "unmask/world/evaluate_parts.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/python_text.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::world {
namespace {

bool contains(const std::vector<RewardPart>& basis, RewardPart part) {
  return std::ranges::find(basis, part) != basis.end();
}

double reward_of(bool met) { return met ? 1.0 : 0.0; }

/// What an environment becomes by the golden actions, those that fail included.
Outcome<std::unique_ptr<Environment>> golden_environment(const World& world, const Task& task,
                                                         const EvaluationCriteria& criteria) {
  Outcome<std::unique_ptr<Environment>> environment = world.make_environment();
  if (!environment) return environment;
  (*environment)->set_id_stream(1);  // the original draws ids at random: they never agree
  const InitialState* initial = task.initial_state ? &*task.initial_state : nullptr;
  std::span<const Message> history;
  if (initial != nullptr) history = initial->message_history;
  if (const Outcome<void> set = set_state(**environment, initial, history); !set) {
    return raised_by(set);
  }
  if (criteria.actions) {
    for (const GoldenAction& action : *criteria.actions) {
      (void)(*environment)
          ->call_without_sync({action.id, action.name, action.arguments, action.requestor});
    }
  }
  return environment;
}

/// By the name among the agent's tools, or the user's where both have it.
std::optional<ToolKind> kind_of(const World& world, std::string_view name) {
  const EnvironmentSetup& setup = world.setup();
  const Tool* tool = setup.user ? setup.user->find_tool(name) : nullptr;
  if (tool == nullptr) tool = setup.agent.find_tool(name);
  if (tool == nullptr) return std::nullopt;
  return tool->kind;
}

bool has_match(const GoldenAction& action, std::span<const Message> messages) {
  for (const Message& message : messages) {
    if (message.role != Role::assistant && message.role != Role::user) continue;
    if (!message.tool_calls) continue;
    for (const ToolCall& call : *message.tool_calls) {
      if (matches(action, call)) return true;
    }
  }
  return false;
}

/// An assistant message with text: as it stands, and as it is searched.
struct Said {
  const std::string* content = nullptr;
  std::string searched;
};

CommunicateCheck check_communicated(const std::string& info, std::span<const Said> said) {
  const std::string wanted = python_lower(info);
  for (const Said& message : said) {
    if (message.searched.find(wanted) == std::string::npos) continue;
    return {info, true,
            "Information '" + info + "' communicated in the message:\n '" + *message.content + "'"};
  }
  return {info, false, "Information '" + info + "' not communicated."};
}

}  // namespace

Value note(std::string text) { return Object{{"note", std::move(text)}}; }

bool matches(const GoldenAction& action, const ToolCall& call) {
  if (action.name != call.name || call.unreadable_arguments) return false;
  std::vector<std::string> keys;
  if (action.compare_args) {
    keys = *action.compare_args;
  } else {
    for (const Member& member : call.arguments) keys.push_back(member.key);
  }
  return std::ranges::all_of(keys, [&](const std::string& key) {
    const Value* golden = action.arguments.find(key);
    const Value* given = call.arguments.find(key);
    if (golden == nullptr || given == nullptr) return golden == given;
    return python_equal(*given, *golden);
  });
}

Outcome<RewardInfo> evaluate_env(const World& world, const Task& task,
                                 const EvaluationCriteria& criteria, const Trajectory& trajectory,
                                 bool strict) {
  RewardInfo info;
  if (!criteria.actions && !criteria.env_assertions) {
    info.reward = 1.0;
    info.db_match = true;
    info.info = note("No expected actions or env assertions");
    return info;
  }
  const Outcome<std::unique_ptr<Environment>> predicted = world.make_environment(trajectory.solo);
  if (!predicted) return raised_by(predicted);
  const InitialState* initial = task.initial_state ? &*task.initial_state : nullptr;
  if (const Outcome<void> set = set_state(**predicted, initial, trajectory.messages, strict);
      !set) {
    return raised_by(set);
  }
  const Outcome<std::unique_ptr<Environment>> golden = golden_environment(world, task, criteria);
  if (!golden) return raised_by(golden);
  info.db_match = (*predicted)->has_same_state(**golden);

  bool all_met = true;
  info.env_assertions.emplace();
  if (criteria.env_assertions) {
    for (const Assertion& assertion : *criteria.env_assertions) {
      const Outcome<bool> met = (*predicted)->check(assertion);
      if (!met) return raised_by(met);
      all_met = all_met && *met;
      info.env_assertions->push_back({assertion, *met});
    }
  }
  double reward = 1.0;
  info.breakdown.emplace();
  if (contains(criteria.reward_basis, RewardPart::db)) {
    info.breakdown->push_back({RewardPart::db, reward_of(*info.db_match)});
    reward *= reward_of(*info.db_match);
  }
  if (contains(criteria.reward_basis, RewardPart::env_assertion)) {
    info.breakdown->push_back({RewardPart::env_assertion, reward_of(all_met)});
    reward *= reward_of(all_met);
  }
  info.reward = reward;
  return info;
}

RewardInfo evaluate_actions(const World& world, const EvaluationCriteria& criteria,
                            std::span<const Message> messages) {
  RewardInfo info;
  bool all_match = true;
  if (!criteria.actions || criteria.actions->empty()) {
    info.info = note("No actions to evaluate");
  } else {
    info.action_checks.emplace();
    for (const GoldenAction& action : *criteria.actions) {
      const bool match = has_match(action, messages);
      all_match = all_match && match;
      info.action_checks->push_back({action, match, kind_of(world, action.name)});
    }
  }
  info.reward = reward_of(all_match);
  info.breakdown = {{RewardPart::action, reward_of(all_match)}};
  return info;
}

RewardInfo evaluate_communication(const EvaluationCriteria& criteria,
                                  std::span<const Message> messages) {
  RewardInfo info;
  bool all_met = true;
  if (!criteria.communicate_info || criteria.communicate_info->empty()) {
    info.info = note("No communicate_info to evaluate");
  } else {
    std::vector<Said> said;
    for (const Message& message : messages) {
      if (message.role != Role::assistant || !message.content || is_blank(*message.content)) {
        continue;
      }
      std::string searched = python_lower(*message.content);
      std::erase(searched, ',');
      said.push_back({&*message.content, std::move(searched)});
    }
    info.communicate_checks.emplace();
    for (const std::string& text : *criteria.communicate_info) {
      info.communicate_checks->push_back(check_communicated(text, said));
      all_met = all_met && info.communicate_checks->back().met;
    }
  }
  info.reward = reward_of(all_met);
  info.breakdown = {{RewardPart::communicate, reward_of(all_met)}};
  return info;
}

Outcome<RewardInfo> evaluate_nl(const EvaluationCriteria& criteria,
                                std::span<const Message> messages, const Judge& judge) {
  RewardInfo info;
  if (!criteria.nl_assertions || criteria.nl_assertions->empty()) {
    info.reward = 1.0;
    info.nl_assertions.emplace();
    info.info = note("No nl_assertions to evaluate");
    info.breakdown = {{RewardPart::nl_assertion, 1.0}};
    return info;
  }
  if (!judge) {
    info.info = note("nl_assertions not evaluated: no judge");
    return info;
  }
  Outcome<std::vector<NlCheck>> checks = judge(*criteria.nl_assertions, messages);
  if (!checks) return raised_by(checks);
  const bool all_met = std::ranges::all_of(*checks, [](const NlCheck& check) { return check.met; });
  info.nl_assertions = std::move(*checks);
  info.reward = reward_of(all_met);
  info.breakdown = {{RewardPart::nl_assertion, reward_of(all_met)}};
  return info;
}

}  // namespace unmask::world
