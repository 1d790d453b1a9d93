#include "unmask/audit/consequence.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/score_comparison.h"
#include "unmask/audit/score_table.h"
#include "unmask/audit/settings.h"
#include "unmask/budget/budget_regime.h"
#include "unmask/budget/success_curve.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/paired_difference.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/score.h"
#include "unmask/stats/task_total.h"

namespace unmask {
namespace {

using stats::IntervalKind;
using stats::TaskTotal;

void count(EvidenceFindings& findings, EvidenceKind evidence) {
  switch (evidence) {
    case EvidenceKind::stated:
      ++findings.stated;
      return;
    case EvidenceKind::structure:
      ++findings.structure;
      return;
    case EvidenceKind::reexecution:
      ++findings.reexecution;
      return;
    case EvidenceKind::error_text:
      ++findings.error_text;
      return;
    case EvidenceKind::none:
      ++findings.none;
      return;
  }
}

/// The commonest reason; empty if some episode's writes are known.
std::string reason_of(const ConsequenceFindings& findings) {
  if (findings.episodes > 0) return {};
  const std::uint32_t most =
      std::max({findings.no_world, findings.not_possible, findings.no_golden_actions});
  if (most == 0) return "the calls were not executed again; --replay does that";
  if (findings.no_golden_actions == most) return "the tasks name no golden actions";
  if (findings.not_possible == most) return "no episode could be executed again";
  return "there is no world in which to execute the calls again";
}

Figure score_at(const ArmFacts& arm, int budget, StrayWrites stray_writes) {
  const SuccessCurve curve =
      success_curve(arm, {.last_budget = budget, .stray_writes = stray_writes});
  std::vector<TaskTotal> tasks = solved_by_task(arm, curve, budget, BandEnd::low);
  std::erase_if(tasks, [](const TaskTotal& task) { return task.denominator == 0.0; });
  return stats::score(tasks).figure;
}

/// By task: episodes whose writes are known, those with a stray one, and where the first stands.
struct StrayTable {
  std::vector<TaskTotal> with;
  std::vector<TaskTotal> first_call;
  std::vector<TaskTotal> first_message;

  explicit StrayTable(std::size_t tasks) : with(tasks), first_call(tasks), first_message(tasks) {}
  void add(const EpisodeFacts& episode, const ReexecutionFacts& again) {
    with[episode.task].denominator += 1;
    if (!again.first_stray_write) return;
    with[episode.task].numerator += 1;
    first_call[episode.task].denominator += 1;
    first_call[episode.task].numerator += *again.first_stray_write + 1.0;
    first_message[episode.task].denominator += 1;
    first_message[episode.task].numerator += episode.calls.at(*again.first_stray_write).message;
  }
};

Figure rate_of(std::vector<TaskTotal> tasks, IntervalKind kind) {
  std::erase_if(tasks, [](const TaskTotal& task) { return task.denominator == 0.0; });
  return stats::rate(tasks, kind).estimate.figure;
}

}  // namespace

EvidenceFindings evidence_findings(const ArmFacts& arm) {
  EvidenceFindings findings;
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none) continue;
    for (const CallFacts& call : episode.calls) {
      if (call.failed && call.party == Party::agent) count(findings, call.evidence);
    }
    if (!episode.reexecution) continue;
    findings.asked_world = true;
    findings.differing += episode.reexecution->differing;
  }
  return findings;
}

ConsequenceFindings consequence_findings(const ArmFacts& arm, const AuditSettings& settings) {
  ConsequenceFindings findings;
  findings.k = observed_budget(arm.budget).value_or(settings.shown_budget);
  StrayTable table(arm.tasks.size());
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none || !episode.reexecution) continue;
    const ReexecutionFacts& again = *episode.reexecution;
    switch (again.status) {
      case ReexecutionFacts::Status::no_world:
        ++findings.no_world;
        continue;
      case ReexecutionFacts::Status::not_possible:
        ++findings.not_possible;
        continue;
      case ReexecutionFacts::Status::done:
        break;
    }
    if (!again.golden_actions_known) {
      ++findings.no_golden_actions;
      continue;
    }
    ++findings.episodes;
    findings.writes += again.stray_writes;
    findings.episodes_with += again.stray_writes > 0;
    findings.solved_with += again.stray_writes > 0 && episode.success;
    table.add(episode, again);
  }
  findings.reason = reason_of(findings);
  if (!findings.reason.empty()) {
    for (Figure* figure : {&findings.share, &findings.first_call, &findings.first_message,
                           &findings.score, &findings.score_consequence}) {
      *figure = stats::missing(findings.reason);
    }
    return findings;
  }
  findings.share = rate_of(std::move(table.with), IntervalKind::wilson);
  if (findings.episodes_with > 0) {
    findings.first_call = rate_of(std::move(table.first_call), IntervalKind::plain_t);
    findings.first_message = rate_of(std::move(table.first_message), IntervalKind::plain_t);
  } else {
    findings.first_call = findings.first_message = stats::missing("no episode has such a write");
  }
  findings.score = score_at(arm, findings.k, StrayWrites::known_only);
  findings.score_consequence = score_at(arm, findings.k, StrayWrites::end_episode);
  return findings;
}

ConsequenceGap compare_consequences(const ArmPair& pair, const AuditSettings& settings) {
  ConsequenceGap findings;
  findings.k = pair.k_obs;
  const auto gap_of = [&](StrayWrites stray_writes, std::uint64_t purpose) -> TestedFigure {
    const std::vector<stats::TaskPair> tasks =
        ScoreComparison(pair, {.stray_writes = stray_writes}).at(pair.k_obs);
    findings.shared_tasks = static_cast<std::uint32_t>(tasks.size());
    if (tasks.empty())
      return {.figure = stats::missing(stats::kNoTasks), .p = {}, .p_adjusted = {}};
    const stats::PairedDifference gap =
        stats::paired_difference(tasks, stream_of(pair, settings, purpose));
    return {.figure = gap.estimate.figure, .p = gap.test.p, .p_adjusted = {}};
  };
  findings.gap = gap_of(StrayWrites::known_only, 62);
  findings.gap_consequence = gap_of(StrayWrites::end_episode, 63);
  if (findings.shared_tasks == 0) {
    findings.reason = "no shared task has episodes in both arms whose writes are known";
    findings.gap.figure = findings.gap_consequence.figure = stats::missing(findings.reason);
  }
  return findings;
}

}  // namespace unmask
