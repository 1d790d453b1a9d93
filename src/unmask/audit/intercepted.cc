#include "unmask/audit/intercepted.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/score_table.h"
#include "unmask/audit/settings.h"
#include "unmask/budget/budget_regime.h"
#include "unmask/budget/success_curve.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/score.h"
#include "unmask/stats/task_total.h"

namespace unmask {
namespace {

using stats::TaskTotal;

std::vector<Figure> scores_of(const ArmFacts& arm, int last_budget) {
  const SuccessCurve curve = success_curve(arm, {.last_budget = last_budget});
  std::vector<Figure> scores;
  for (int k = 1; k <= last_budget; ++k) {
    std::vector<TaskTotal> tasks = solved_by_task(arm, curve, k, BandEnd::low);
    std::erase_if(tasks, [](const TaskTotal& task) { return task.denominator == 0.0; });
    scores.push_back(stats::score(tasks).figure);
  }
  return scores;
}

}  // namespace

ArmFacts with_intercepted_counted(const ArmFacts& arm) {
  ArmFacts counted = arm;
  for (EpisodeFacts& episode : counted.episodes) {
    if (!episode.intercepted) continue;
    for (const InterceptedCall& held : *episode.intercepted) {
      CallFacts call;
      call.name = counted.names.intern("");
      call.message = held.message;
      call.failed = true;
      call.channel = held.channel;
      call.evidence = EvidenceKind::structure;
      const auto place = std::lower_bound(
          episode.calls.begin(), episode.calls.end(), held.message,
          [](const CallFacts& each, std::uint32_t message) { return each.message < message; });
      episode.calls.insert(place, call);
    }
    episode.intercepted.reset();
  }
  return counted;
}

std::optional<InterceptedFindings> intercepted_findings(const ArmFacts& arm,
                                                        const AuditSettings& settings) {
  InterceptedFindings findings;
  bool recorded = false;
  std::vector<TaskTotal> tasks(arm.tasks.size());
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none || !episode.intercepted) continue;
    recorded = true;
    findings.calls += episode.intercepted->size();
    findings.episodes_with += !episode.intercepted->empty();
    tasks[episode.task].numerator += static_cast<double>(episode.intercepted->size());
    tasks[episode.task].denominator += 1;
    for (const InterceptedCall& call : *episode.intercepted) {
      ++findings.by_channel[static_cast<std::size_t>(call.channel)];
    }
  }
  if (!recorded) return std::nullopt;
  std::erase_if(tasks, [](const TaskTotal& task) { return task.denominator == 0.0; });
  findings.per_episode = stats::rate(tasks, stats::IntervalKind::plain_t).estimate.figure;
  const int last = observed_budget(arm.budget).value_or(settings.shown_budget);
  const std::vector<Figure> scores = scores_of(arm, last);
  const std::vector<Figure> counted = scores_of(with_intercepted_counted(arm), last);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    findings.scores.push_back(
        {.k = static_cast<int>(i) + 1, .score = scores[i], .score_counted = counted[i]});
  }
  return findings;
}

}  // namespace unmask
