#include "unmask/stats/repair_effect.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "unmask/stats/paired_difference.h"
#include "unmask/stats/resampling.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {
namespace {

PairedDifference compare(std::span<const RepairTask> tasks, TaskTotal RepairTask::* from,
                         TaskTotal RepairTask::* to, const Resampling& random, std::uint64_t part) {
  std::vector<TaskPair> pairs;
  pairs.reserve(tasks.size());
  for (const RepairTask& task : tasks) pairs.push_back({.reference = task.*from, .arm = task.*to});
  return paired_difference(
      pairs,
      {.seed = random.seed, .index = random.index * 3 + part, .replicates = random.replicates});
}

}  // namespace

RepairEffect repair_effect(std::span<const RepairTask> tasks, const Resampling& random,
                           double alpha) {
  RepairEffect effect;
  effect.gap_unrepaired =
      compare(tasks, &RepairTask::reference, &RepairTask::unrepaired, random, 0);
  effect.gap_repaired = compare(tasks, &RepairTask::reference, &RepairTask::repaired, random, 1);
  effect.gain = compare(tasks, &RepairTask::repaired, &RepairTask::unrepaired, random, 2);
  const double damage = effect.gap_unrepaired.estimate.figure.value.value_or(0.0);
  const double left = effect.gap_repaired.estimate.figure.value.value_or(0.0);
  if (damage > 0.0 && effect.gap_unrepaired.test.p.value_or(1.0) < alpha) {
    effect.recovered_share = (damage - left) / damage;
  }
  if (const std::optional<double> least = effect.gain.estimate.lower_bound) {
    effect.harm_bound = -*least;
  }
  return effect;
}

std::string_view name_of(RepairOutcome outcome) {
  switch (outcome) {
    case RepairOutcome::helps:
      return "helps";
    case RepairOutcome::no_effect_shown:
      return "no_effect_shown";
    case RepairOutcome::harms:
      return "harms";
  }
  return "no_effect_shown";
}

RepairOutcome repair_outcome(const RepairEffect& effect, std::optional<double> adjusted_p,
                             double alpha) {
  const std::optional<double> gain = effect.gain.estimate.figure.value;
  if (!gain.has_value() || adjusted_p.value_or(1.0) >= alpha || *gain == 0.0) {
    return RepairOutcome::no_effect_shown;
  }
  return *gain > 0.0 ? RepairOutcome::helps : RepairOutcome::harms;
}

}  // namespace unmask::stats
