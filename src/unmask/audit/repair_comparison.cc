#include "unmask/audit/repair_comparison.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "unmask/audit/channel_comparison.h"
#include "unmask/audit/intercepted.h"
#include "unmask/audit/lengths.h"
#include "unmask/audit/score_table.h"
#include "unmask/budget/budget_regime.h"
#include "unmask/stats/length_summary.h"
#include "unmask/stats/repair_effect.h"

namespace unmask {
namespace {

std::vector<std::vector<double>> pick(const std::vector<std::vector<double>>& by_task,
                                      std::span<const std::uint32_t> index) {
  std::vector<std::vector<double>> picked;
  for (const std::uint32_t i : index) picked.push_back(by_task[i]);
  return picked;
}

Figure extra(const ArmPair& pair, std::string_view length, const AuditSettings& settings) {
  const auto before = pick(length_by_task(*pair.ref, length), pair.tasks.ref);
  const auto after = pick(length_by_task(*pair.arm, length), pair.tasks.arm);
  const auto has_any = [](const auto& tasks) {
    return std::any_of(tasks.begin(), tasks.end(), [](const auto& task) { return !task.empty(); });
  };
  if (!has_any(before) || !has_any(after)) return stats::missing("not recorded in both arms");
  return stats::length_comparison(
             before, after,
             {.seed = settings.seed, .index = pair.index, .replicates = settings.bootstrap})
      .mean_difference.figure;
}

// Solved trials at K_obs of the tasks that all three arms have.
std::vector<stats::RepairTask> repair_tasks(const ArmFacts& reference,
                                            const ArmPair& before_after) {
  const int k = before_after.k_obs;
  const auto solved = [&](const ArmFacts& arm) {
    return solved_by_task(arm, success_curve(arm, {.last_budget = k}), k, BandEnd::low);
  };
  const TaskPairing with_reference = pair_tasks(reference, *before_after.ref);
  std::map<std::uint32_t, std::uint32_t> reference_of;  // by the unrepaired arm's task
  for (std::size_t i = 0; i < with_reference.size(); ++i) {
    reference_of.emplace(with_reference.arm[i], with_reference.ref[i]);
  }
  const std::vector<stats::TaskTotal> of_reference = solved(reference);
  const std::vector<stats::TaskTotal> of_unrepaired = solved(*before_after.ref);
  const std::vector<stats::TaskTotal> of_repaired = solved(*before_after.arm);
  std::vector<stats::RepairTask> tasks;
  for (std::size_t i = 0; i < before_after.tasks.size(); ++i) {
    const auto found = reference_of.find(before_after.tasks.ref[i]);
    if (found == reference_of.end()) continue;
    tasks.push_back({of_reference[found->second], of_unrepaired[before_after.tasks.ref[i]],
                     of_repaired[before_after.tasks.arm[i]]});
  }
  return tasks;
}

}  // namespace

RepairComparison compare_repair(const ArmFacts& reference, const ArmFacts& unrepaired,
                                const ArmFacts& repaired, const AuditSettings& settings,
                                std::uint64_t index) {
  RepairComparison comparison;
  RepairFindings& findings = comparison.findings;
  findings.arm = repaired.name;
  findings.unrepaired = unrepaired.name;
  const ArmPair before_after = pair_arms(unrepaired, repaired, settings, index);
  const ArmPair against_reference = pair_arms(reference, repaired, settings, index);
  ComparisonFindings scores, scores_reference;
  compare_scores(before_after, settings, scores);
  compare_scores(against_reference, settings, scores_reference);
  findings.gap = std::move(scores.gap);
  findings.gap_reference = std::move(scores_reference.gap);
  findings.amplification = compare_channels(before_after, settings);
  findings.intercepted = intercepted_findings(repaired, settings);
  if (findings.intercepted) {
    const ArmFacts counted = with_intercepted_counted(repaired);
    ComparisonFindings scores_counted;
    compare_scores(pair_arms(unrepaired, counted, settings, index), settings, scores_counted);
    findings.gap_intercepted_counted = std::move(scores_counted.gap);
  }
  findings.extra_tokens = extra(before_after, "completion_tokens", settings);
  findings.extra_calls = extra(before_after, "tool_calls", settings);

  const std::vector<stats::RepairTask> tasks = repair_tasks(reference, before_after);
  comparison.effect = stats::repair_effect(
      tasks, {.seed = settings.seed, .index = index * 64, .replicates = settings.sign_flips},
      settings.alpha);
  const std::optional<double> recovered = comparison.effect.recovered_share;
  findings.recovered_share =
      recovered ? stats::without_interval(*recovered, "a ratio of differences")
                : stats::missing("the unrepaired arm has no significant gap to win back");
  findings.harm_bound = comparison.effect.harm_bound;
  return comparison;
}

void settle_repair(RepairComparison& comparison, std::optional<double> p_adjusted,
                   const AuditSettings& settings) {
  comparison.findings.p_adjusted = p_adjusted;
  comparison.findings.outcome =
      stats::repair_outcome(comparison.effect, p_adjusted, settings.alpha);
}

}  // namespace unmask
