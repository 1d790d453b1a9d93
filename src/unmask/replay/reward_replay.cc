#include "unmask/replay/reward_replay.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/replay/episode_replay.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::replay {
namespace {

using world::Value;

/// A check as the replay has it.
struct Check {
  std::string what;
  bool met = false;
};

/// The checks of a part, in order.
std::vector<Check> checks_of(const world::RewardInfo& info, Part part) {
  std::vector<Check> checks;
  if (part == Part::db && info.db_match) checks.push_back({"", *info.db_match});
  if (part == Part::env_assertions && info.env_assertions) {
    for (const world::AssertionCheck& check : *info.env_assertions) {
      const world::FunctionCall& function = check.assertion.function;
      checks.push_back({function.name + " " + world::dump_json(function.arguments), check.met});
    }
  }
  if (part == Part::actions && info.action_checks) {
    for (const world::ActionCheck& check : *info.action_checks) {
      checks.push_back(
          {check.action.name + " " + world::dump_json(check.action.arguments), check.match});
    }
  }
  if (part == Part::communicate && info.communicate_checks) {
    for (const world::CommunicateCheck& check : *info.communicate_checks) {
      checks.push_back({check.info, check.met});
    }
  }
  return checks;
}

/// What the record says of each check of a part; nullopt: the record lacks the part, or has
/// something else there.
std::optional<std::vector<bool>> recorded_checks(const Value& record, Part part) {
  const auto truth = [](const Value* value) {
    return value == nullptr ? nullptr : value->boolean();
  };
  if (part == Part::db) {
    const Value* check = record.find("db_check");
    const bool* match = check == nullptr ? nullptr : truth(check->find("db_match"));
    if (match == nullptr) return std::nullopt;
    return std::vector<bool>{*match};
  }
  const bool actions = part == Part::actions;
  const std::string_view key = actions                        ? "action_checks"
                               : part == Part::env_assertions ? "env_assertions"
                                                              : "communicate_checks";
  const Value* list = record.find(key);
  if (list == nullptr || list->list() == nullptr) return std::nullopt;
  std::vector<bool> checks;
  for (const Value& check : *list->list()) {
    const bool* met = truth(check.find(actions ? "action_match" : "met"));
    if (met == nullptr) return std::nullopt;
    checks.push_back(*met);
  }
  return checks;
}

void compare_parts(const Value& record, const world::RewardInfo& info, RewardReplay& reward) {
  for (const Part part : {Part::db, Part::env_assertions, Part::actions, Part::communicate}) {
    const std::optional<std::vector<bool>> recorded = recorded_checks(record, part);
    if (!recorded) continue;
    std::vector<Check> checks = checks_of(info, part);
    if (checks.size() != recorded->size()) {
      reward.other_checks.push_back(part);
      continue;
    }
    for (std::size_t i = 0; i < checks.size(); ++i) {
      reward.checks.push_back({part, std::move(checks[i].what), (*recorded)[i], checks[i].met});
    }
  }
}

bool needs_judge(const world::Task& task) {
  if (!task.evaluation_criteria) return false;
  const world::EvaluationCriteria& criteria = *task.evaluation_criteria;
  return std::ranges::find(criteria.reward_basis, world::RewardPart::nl_assertion) !=
             criteria.reward_basis.end() &&
         criteria.nl_assertions && !criteria.nl_assertions->empty();
}

std::string first_line_of(const world::Raised& raised) {
  // The lines of a replayed write that differs name the call and both results.
  if (raised.text.starts_with("Tool call:\n")) {
    return std::string(raised.type) + ": a write's result is not the recorded one";
  }
  const std::string text = text_of(raised);
  return text.substr(0, text.find('\n'));
}

}  // namespace

RewardReplay replay_reward(const Episode& episode, const world::World& world,
                           const world::Task& task, const Value* record,
                           std::span<const world::Message> messages, bool solo) {
  RewardReplay reward;
  reward.recorded = episode.reward;
  const std::string_view termination =
      episode.termination_text.empty() ? "user_stop" : std::string_view(episode.termination_text);
  const world::Trajectory trajectory{messages, termination, solo};
  world::Outcome<world::RewardInfo> info = world::evaluate(world, task, trajectory);
  if (!info) {
    reward.raised = first_line_of(info.error());
    info = world::evaluate(world, task, trajectory,
                           {.type = world::EvaluationType::all, .strict = false, .judge = {}});
  }
  if (!info) {
    reward.reason = "the evaluation raises " + first_line_of(info.error());
    return reward;
  }
  reward.replayed = info->reward;
  if (!info->reward) {
    reward.reason = needs_judge(task) ? "assertions in natural language need a judge"
                                      : "a part could not be evaluated";
  }
  if (record != nullptr) compare_parts(*record, *info, reward);
  return reward;
}

}  // namespace unmask::replay
