#include "unmask/audit/single_turn.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
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

constexpr std::array kParties = {Party::agent, Party::user};

/// Whether an answer counts, where a step of `due` is asked about, or of anybody.
bool counts(const EpisodeFacts& answer, std::optional<Party> due) {
  return answer.excluded == Exclusion::none && (!due || answer.first_call_due == due);
}

/// Right answers of each task, of all of its answers.
std::vector<TaskTotal> right_by_task(const ArmFacts& arm, std::optional<Party> due = {}) {
  std::vector<TaskTotal> tasks(arm.tasks.size());
  for (const EpisodeFacts& answer : arm.episodes) {
    if (!counts(answer, due)) continue;
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

std::vector<TaskTotal> answered(std::vector<TaskTotal> right) {
  std::erase_if(right, [](const TaskTotal& task) { return task.denominator == 0.0; });
  return right;
}

SingleTurnSteps steps_of(const ArmFacts& arm, Party due) {
  SingleTurnSteps findings;
  findings.due = due;
  for (const EpisodeFacts& answer : arm.episodes) {
    if (!counts(answer, due)) continue;
    ++findings.answers;
    if (answer.first_call) ++findings.calls[static_cast<std::size_t>(*answer.first_call)];
  }
  const std::vector<TaskTotal> right = answered(right_by_task(arm, due));
  findings.tasks = static_cast<std::uint32_t>(right.size());
  findings.right = stats::score(right).figure;
  return findings;
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
  const std::vector<TaskTotal> right = answered(right_by_task(arm));
  findings.tasks = static_cast<std::uint32_t>(right.size());
  findings.right = stats::score(right).figure;
  constexpr Channel kName = Channel::tool_name;
  findings.failed_share = share_of(arm, failed_by_task(arm, nullptr));
  findings.tool_name_share = share_of(arm, failed_by_task(arm, &kName));
  for (const Party due : kParties) {
    SingleTurnSteps steps = steps_of(arm, due);
    if (steps.answers > 0) findings.by_due.push_back(std::move(steps));
  }
  return findings;
}

/// The gap in right answers; `due` nullopt: at all states.
SingleTurnGap gap_of(const ArmPair& pair, std::optional<Party> due, const AuditSettings& settings,
                     std::uint64_t purpose) {
  SingleTurnGap findings;
  if (due) findings.due = *due;
  const std::vector<TaskTotal> ref_right = right_by_task(*pair.ref, due);
  const std::vector<TaskTotal> arm_right = right_by_task(*pair.arm, due);
  std::vector<stats::TaskPair> tasks = paired(pair.tasks, ref_right, arm_right);
  std::erase_if(tasks, [](const stats::TaskPair& task) {
    return task.reference.denominator == 0.0 || task.arm.denominator == 0.0;
  });
  findings.shared_tasks = static_cast<std::uint32_t>(tasks.size());
  if (tasks.empty()) {
    findings.gap.figure = stats::missing(stats::kNoTasks);
    return findings;
  }
  const stats::PairedDifference gap =
      stats::paired_difference(tasks, stream_of(pair, settings, purpose));
  findings.gap = {.figure = gap.estimate.figure, .p = gap.test.p, .p_adjusted = {}};
  findings.equivalent =
      stats::equivalence(stats::differences(tasks), settings.margin, settings.alpha).equivalent();
  return findings;
}

SingleTurnComparison compare(const ArmFacts& reference, const ArmFacts& arm,
                             const AuditSettings& settings, std::uint64_t index) {
  SingleTurnComparison findings;
  findings.arm = arm.name;
  const ArmPair pair = pair_arms(reference, arm, settings, index);
  const SingleTurnGap whole = gap_of(pair, std::nullopt, settings, 0);
  findings.shared_tasks = whole.shared_tasks;
  findings.gap = whole.gap;
  findings.equivalent = whole.equivalent;
  if (findings.shared_tasks == 0) return findings;
  std::uint64_t purpose = 0;
  for (const Party due : kParties) {
    SingleTurnGap gap = gap_of(pair, due, settings, ++purpose);
    if (gap.shared_tasks > 0) findings.by_due.push_back(std::move(gap));
  }
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
