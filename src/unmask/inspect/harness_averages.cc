#include "unmask/inspect/harness_averages.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

struct TaskTrials {
  std::uint32_t trials = 0;
  std::uint32_t successes = 0;
};

/// C(successes, k) / C(trials, k) as a product; k <= trials.
double chance_that_all_pass(const TaskTrials& task, std::uint32_t k) {
  if (task.successes < k) return 0.0;
  double chance = 1.0;
  for (std::uint32_t i = 0; i < k; ++i) {
    chance *= static_cast<double>(task.successes - i) / (task.trials - i);
  }
  return chance;
}

PassAverages pass_averages(const ArmFacts& arm, InfrastructureConvention convention,
                           std::optional<int> trials_promised) {
  PassAverages result{.convention = convention};
  std::map<std::uint32_t, TaskTrials> tasks;
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded == Exclusion::infrastructure &&
        convention == InfrastructureConvention::left_out) {
      continue;
    }
    TaskTrials& task = tasks[episode.task];
    ++task.trials;
    if (episode.excluded == Exclusion::none && episode.success) ++task.successes;
    ++result.trials;
  }
  result.tasks = static_cast<std::uint32_t>(tasks.size());
  if (tasks.empty()) return result;
  std::uint32_t highest_k = std::numeric_limits<std::uint32_t>::max();
  for (const auto& [id, task] : tasks) highest_k = std::min(highest_k, task.trials);
  if (trials_promised && std::cmp_less(*trials_promised, highest_k)) {
    highest_k = static_cast<std::uint32_t>(std::max(*trials_promised, 0));
  }
  for (std::uint32_t k = 1; k <= highest_k; ++k) {
    double sum = 0.0;
    for (const auto& [id, task] : tasks) sum += chance_that_all_pass(task, k);
    result.pass_hat.push_back(sum / result.tasks);
  }
  return result;
}

}  // namespace

std::string_view name_of(InfrastructureConvention convention) {
  return convention == InfrastructureConvention::left_out ? "left_out" : "failed";
}

HarnessAverages harness_averages(const LogHeader& header, const ArmFacts& arm) {
  HarnessAverages result;
  const bool crashes_fail = header.harness.name == "tau-bench";
  double rewards = 0.0;
  std::uint32_t rewarded = 0;
  bool any_infrastructure = false;
  bool any_scored = false;
  for (const EpisodeFacts& episode : arm.episodes) {
    const bool infrastructure = episode.excluded == Exclusion::infrastructure;
    any_infrastructure = any_infrastructure || infrastructure;
    if (episode.excluded == Exclusion::none) {
      any_scored = true;
      rewards += episode.reward;
    } else if (!infrastructure || !crashes_fail) {
      continue;
    }
    ++rewarded;
  }
  if (rewarded > 0) result.average_reward = rewards / rewarded;
  using enum InfrastructureConvention;
  if (!crashes_fail) result.pass.push_back(pass_averages(arm, left_out, header.num_trials));
  if (crashes_fail || any_infrastructure) {
    result.pass.push_back(pass_averages(arm, failed, header.num_trials));
  }
  if (!any_scored && !crashes_fail) {
    // Zeros would say that all failed, where nobody knows.
    for (PassAverages& averages : result.pass) averages.pass_hat.clear();
  }
  return result;
}

}  // namespace unmask
