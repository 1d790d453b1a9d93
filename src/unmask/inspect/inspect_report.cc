#include "unmask/inspect/inspect_report.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/budget/budget_regime.h"
#include "unmask/budget/counterfactual.h"
#include "unmask/budget/success_curve.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"
#include "unmask/inspect/harness_averages.h"
#include "unmask/inspect/tool_usage.h"
#include "unmask/inspect/trial_ledger.h"

namespace unmask {
namespace {

BudgetReport report_budget(const ArmFacts& arm) {
  BudgetReport report{.regime = arm.budget};
  report.max_errors_is_stale = arm.budget.known && arm.budget.nominal && arm.budget.enforced &&
                               *arm.budget.nominal != *arm.budget.enforced;
  report.observed = observed_budget(arm.budget);
  report.contradictions = budget_contradictions(arm.episodes, arm.budget);
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none || !stopped_by_own_budget(episode, arm.budget)) {
      continue;
    }
    ++report.stopped;
    const std::uint32_t errors = counted_errors(episode, arm.budget.counts);
    report.fewest_errors_at_stop = std::min(report.fewest_errors_at_stop.value_or(errors), errors);
  }
  return report;
}

std::vector<ScoreLine> score_lines(const ArmFacts& arm) {
  const int observed = shown_budget(observed_budget(arm.budget));
  const SuccessCurve curve = success_curve(arm, {.last_budget = std::max(observed, kShownBudgets)});
  std::vector<ScoreLine> lines;
  for (int budget = 1; budget <= curve.last_budget; ++budget) {
    if (budget > kShownBudgets && budget != observed) continue;
    const auto by_task = score(curve, budget);
    const auto by_episode = episode_score(curve, budget);
    if (!by_task || !by_episode) return {};
    lines.push_back({.budget = budget, .score = *by_task, .episode_score = *by_episode});
  }
  return lines;
}

void add(PartyCalls& total, const PartyCalls& part) {
  total.calls += part.calls;
  total.failed += part.failed;
}

}  // namespace

InspectReport inspect(const LogHeader& header, const ArmFacts& arm,
                      const Diagnostics& diagnostics) {
  InspectReport report{.file = header.file,
                       .format = header.format,
                       .sha256 = header.sha256,
                       .bytes = header.bytes,
                       .timestamp = header.timestamp,
                       .domain = header.domain,
                       .harness = header.harness,
                       .max_steps = header.max_steps,
                       .budget = report_budget(arm),
                       .trials = trial_ledger(header, arm, diagnostics),
                       .tools_source = header.tools.source,
                       .tools_complete = header.tools.complete,
                       .tools = tool_usage(header.tools, arm),
                       .identity = header.identity,
                       .reward_basis = arm.reward_basis,
                       .averages = harness_averages(header, arm),
                       .score = score_lines(arm),
                       .missing_fields = header.missing_fields,
                       .diagnostics = diagnostics.counts()};
  for (const EpisodeFacts& episode : arm.episodes) {
    ++report.terminations.at(static_cast<std::size_t>(episode.termination));
    report.communication_errors += episode.communication_errors;
  }
  for (const ToolUsage& tool : report.tools) {
    add(report.agent, tool.agent);
    add(report.user, tool.user);
  }
  return report;
}

}  // namespace unmask
