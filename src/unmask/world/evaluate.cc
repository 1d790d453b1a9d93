#include "unmask/world/evaluate.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/world/evaluate_parts.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::world {
namespace {

struct NamedType {
  std::string_view name;
  EvaluationType type;
};

constexpr std::array<NamedType, 8> kTypes = {{
    {"env", EvaluationType::env},
    {"action", EvaluationType::action},
    {"communicate", EvaluationType::communicate},
    {"nl_assertions", EvaluationType::nl_assertions},
    {"all", EvaluationType::all},
    {"all_with_nl_assertions", EvaluationType::all_with_nl_assertions},
    {"all_ignore_basis", EvaluationType::all_ignore_basis},
    {"all_with_nl_assertions_ignore_basis", EvaluationType::all_with_nl_assertions_ignore_basis},
}};

bool ignores_basis(EvaluationType type) {
  return type == EvaluationType::all_ignore_basis ||
         type == EvaluationType::all_with_nl_assertions_ignore_basis;
}

bool asks_judge(EvaluationType type) {
  return type == EvaluationType::all_with_nl_assertions ||
         type == EvaluationType::all_with_nl_assertions_ignore_basis;
}

bool names(const std::vector<RewardPart>& basis, RewardPart part) {
  return std::ranges::find(basis, part) != basis.end();
}

/// A product of rewards, of which unknown ones matter only if no other is 0.
class Product {
 public:
  void take(const RewardInfo& part) {
    if (part.breakdown) {
      breakdown_.insert(breakdown_.end(), part.breakdown->begin(), part.breakdown->end());
    }
    if (part.reward) {
      known_ *= *part.reward;
    } else {
      complete_ = false;
    }
  }
  [[nodiscard]] std::optional<double> reward() const {
    if (complete_ || known_ == 0) return known_;
    return std::nullopt;
  }
  [[nodiscard]] std::vector<PartReward> breakdown() const { return breakdown_; }

 private:
  double known_ = 1.0;
  bool complete_ = true;
  std::vector<PartReward> breakdown_;
};

Outcome<RewardInfo> evaluate_all(const World& world, const Task& task,
                                 const EvaluationCriteria& criteria, const Trajectory& trajectory,
                                 const EvaluationOptions& options) {
  const std::vector<RewardPart>& basis = criteria.reward_basis;
  const bool all_parts = ignores_basis(options.type);
  Outcome<RewardInfo> env = evaluate_env(world, task, criteria, trajectory, options.strict);
  if (!env) return env;
  RewardInfo action = evaluate_actions(world, criteria, trajectory.messages);
  RewardInfo communicate = evaluate_communication(criteria, trajectory.messages);
  std::optional<RewardInfo> judged;
  if (asks_judge(options.type) || (!all_parts && names(basis, RewardPart::nl_assertion))) {
    Outcome<RewardInfo> nl = evaluate_nl(criteria, trajectory.messages, options.judge);
    if (!nl) return nl;
    judged = std::move(*nl);
  }

  Product product;
  if (all_parts || names(basis, RewardPart::db) || names(basis, RewardPart::env_assertion)) {
    product.take(*env);
  }
  if (all_parts || names(basis, RewardPart::action)) product.take(action);
  if (judged && (all_parts || names(basis, RewardPart::nl_assertion))) product.take(*judged);
  if (all_parts || names(basis, RewardPart::communicate)) product.take(communicate);

  RewardInfo info;
  info.reward = product.reward();
  info.db_match = env->db_match;
  info.env_assertions = std::move(env->env_assertions);
  info.action_checks = std::move(action.action_checks);
  if (judged) info.nl_assertions = std::move(judged->nl_assertions);
  info.communicate_checks = std::move(communicate.communicate_checks);
  info.reward_basis = basis;
  if (all_parts) {
    info.reward_basis = {RewardPart::db, RewardPart::env_assertion, RewardPart::action,
                         RewardPart::communicate};
    if (judged) info.reward_basis->push_back(RewardPart::nl_assertion);
  }
  info.breakdown = product.breakdown();
  info.info = Object{{"env", env->info},
                     {"nl", judged ? judged->info : Value()},
                     {"communicate", communicate.info},
                     {"action", action.info}};
  return info;
}

/// A part alone; those that replay nothing report the original's default basis.
Outcome<RewardInfo> with_basis(Outcome<RewardInfo> info, std::vector<RewardPart> basis) {
  if (info) info->reward_basis = std::move(basis);
  return info;
}

}  // namespace

std::optional<EvaluationType> evaluation_type_of(std::string_view name) {
  for (const NamedType& named : kTypes) {
    if (named.name == name) return named.type;
  }
  return std::nullopt;
}

Outcome<RewardInfo> evaluate(const World& world, const Task& task, const Trajectory& trajectory,
                             const EvaluationOptions& options) {
  if (trajectory.termination_reason != "agent_stop" &&
      trajectory.termination_reason != "user_stop") {
    RewardInfo info;
    info.reward = 0.0;
    info.info = note("Simulation terminated prematurely. Termination reason: " +
                     std::string(trajectory.termination_reason));
    return info;
  }
  if (!task.evaluation_criteria) {
    RewardInfo info;
    info.reward = 1.0;
    info.info = note("No evaluation criteria");
    return info;
  }
  const EvaluationCriteria& criteria = *task.evaluation_criteria;
  switch (options.type) {
    case EvaluationType::env:
      return with_basis(evaluate_env(world, task, criteria, trajectory, options.strict),
                        criteria.reward_basis);
    case EvaluationType::action:
      return with_basis(evaluate_actions(world, criteria, trajectory.messages), {RewardPart::db});
    case EvaluationType::communicate:
      return with_basis(evaluate_communication(criteria, trajectory.messages), {RewardPart::db});
    case EvaluationType::nl_assertions:
      return with_basis(evaluate_nl(criteria, trajectory.messages, options.judge),
                        {RewardPart::db});
    case EvaluationType::all:
    case EvaluationType::all_with_nl_assertions:
    case EvaluationType::all_ignore_basis:
    case EvaluationType::all_with_nl_assertions_ignore_basis:
      return evaluate_all(world, task, criteria, trajectory, options);
  }
  UNMASK_CHECK(false);
}

}  // namespace unmask::world
