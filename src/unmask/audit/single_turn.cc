#include "unmask/audit/single_turn.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unmask/audit/channel_comparison.h"
#include "unmask/audit/findings.h"
#include "unmask/audit/score_comparison.h"
#include "unmask/audit/settings.h"
#include "unmask/audit/task_table.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/first_call.h"
#include "unmask/stats/equivalence.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/paired_difference.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/score.h"
#include "unmask/stats/task_total.h"

namespace unmask {
namespace {

using stats::IntervalKind;
using stats::TaskTotal;

/// Right answers of each task, of all of its answers.
std::vector<TaskTotal> right_by_task(const ArmFacts& arm) {
  std::vector<TaskTotal> tasks(arm.tasks.size());
  for (const EpisodeFacts& answer : arm.episodes) {
    if (answer.excluded != Exclusion::none) continue;
    tasks[answer.task].denominator += 1;
    if (answer.first_call == FirstCall::right) tasks[answer.task].numerator += 1;
  }
  return tasks;
}

Figure share_of(const ArmFacts& arm, std::span<const std::int64_t> counts) {
  const TaskTable table = TaskTable::of(arm);
  return stats::rate(observed(totals(counts, table.episodes), table.episodes), IntervalKind::wilson)
      .estimate.figure;
}

/// Answers of each task whose call failed; of `channel` only, if there is one.
std::vector<std::int64_t> failed_by_task(const ArmFacts& arm, const Channel* channel) {
  std::vector<std::int64_t> tasks(arm.tasks.size());
  for (const EpisodeFacts& answer : arm.episodes) {
    if (answer.excluded != Exclusion::none) continue;
    tasks[answer.task] += std::ranges::any_of(answer.calls, [&](const CallFacts& call) {
      return call.failed && (channel == nullptr || call.channel == *channel);
    });
  }
  return tasks;
}

SingleTurnArm arm_of(const ArmFacts& arm, const std::string& reference) {
  SingleTurnArm findings;
  findings.arm = arm.name;
  findings.reference = arm.name == reference;
  for (const EpisodeFacts& answer : arm.episodes) {
    if (answer.excluded != Exclusion::none) {
      ++findings.excluded;
      continue;
    }
    ++findings.answers;
    if (answer.first_call) ++findings.calls[static_cast<std::size_t>(*answer.first_call)];
    for (const CallFacts& call : answer.calls) {
      if (call.failed) ++findings.failed[static_cast<std::size_t>(call.channel)];
    }
  }
  std::vector<TaskTotal> right = right_by_task(arm);
  std::erase_if(right, [](const TaskTotal& task) { return task.denominator == 0.0; });
  findings.tasks = static_cast<std::uint32_t>(right.size());
  findings.right = stats::score(right).figure;
  constexpr Channel kName = Channel::tool_name;
  findings.failed_share = share_of(arm, failed_by_task(arm, nullptr));
  findings.tool_name_share = share_of(arm, failed_by_task(arm, &kName));
  return findings;
}

SingleTurnComparison compare(const ArmFacts& reference, const ArmFacts& arm,
                             const AuditSettings& settings, std::uint64_t index) {
  SingleTurnComparison findings;
  findings.arm = arm.name;
  const ArmPair pair = pair_arms(reference, arm, settings, index);
  const std::vector<TaskTotal> ref_right = right_by_task(reference);
  const std::vector<TaskTotal> arm_right = right_by_task(arm);
  const std::vector<stats::TaskPair> tasks = paired(pair.tasks, ref_right, arm_right);
  findings.shared_tasks = static_cast<std::uint32_t>(tasks.size());
  if (tasks.empty()) {
    findings.gap.figure = stats::missing(stats::kNoTasks);
    return findings;
  }
  const stats::PairedDifference gap = stats::paired_difference(tasks, stream_of(pair, settings, 0));
  findings.gap = {.figure = gap.estimate.figure, .p = gap.test.p, .p_adjusted = {}};
  findings.equivalent =
      stats::equivalence(stats::differences(tasks), settings.margin, settings.alpha).equivalent();
  findings.amplification = compare_channels(pair, settings);
  for (AmplificationFindings& channel : findings.amplification) {
    channel.in_family = false;
    if (channel.reason.empty()) channel.reason = "in no family of tests: p is not adjusted";
  }
  return findings;
}

}  // namespace

SingleTurnFindings single_turn_findings(std::span<const ArmFacts> arms,
                                        const std::string& reference, const AuditSettings& settings,
                                        std::uint64_t index) {
  SingleTurnFindings findings;
  for (const ArmFacts& arm : arms) findings.arms.push_back(arm_of(arm, reference));
  const auto found = std::ranges::find(arms, reference, &ArmFacts::name);
  if (found == arms.end()) return findings;
  for (const ArmFacts& arm : arms) {
    if (&arm != &*found) findings.comparisons.push_back(compare(*found, arm, settings, index++));
  }
  return findings;
}

}  // namespace unmask
