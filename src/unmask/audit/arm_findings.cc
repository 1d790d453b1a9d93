#include "unmask/audit/arm_findings.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "unmask/audit/consequence.h"
#include "unmask/audit/intercepted.h"
#include "unmask/audit/lengths.h"
#include "unmask/audit/score_table.h"
#include "unmask/audit/task_table.h"
#include "unmask/budget/budget_regime.h"
#include "unmask/budget/counterfactual.h"
#include "unmask/diagnose/recovery.h"
#include "unmask/stats/pass_k.h"
#include "unmask/stats/rate.h"

namespace unmask {
namespace {

using stats::IntervalKind;
using stats::TaskTotal;

std::vector<std::int64_t> episodes_with(const ArmFacts& arm, const CallMatcher& matches) {
  std::vector<std::int64_t> with(arm.tasks.size());
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none) continue;
    with[episode.task] += std::any_of(
        episode.calls.begin(), episode.calls.end(),
        [&](const CallFacts& call) { return call.party == Party::agent && matches(call); });
  }
  return with;
}

// A symmetric interval of a rate near 0 reaches below it, where no rate is.
Figure not_negative(Figure figure) {
  if (figure.low) figure.low = std::max(*figure.low, 0.0);
  return figure;
}

ChannelFindings channel_findings(const ArmFacts& arm, const TaskTable& table,
                                 const ChannelSelector& selector) {
  const std::vector<std::int64_t> errors = errors_by_task(arm, selector);
  const std::vector<std::int64_t> with = episodes_with(arm, CallMatcher(selector, arm));
  std::vector<std::int64_t> successful(table.agent_calls);
  for (std::size_t i = 0; i < successful.size(); ++i) successful[i] -= table.agent_failed[i];

  const auto rate_of = [&](std::span<const std::int64_t> numerators,
                           std::span<const std::int64_t> denominators, IntervalKind kind) {
    return stats::rate(observed(totals(numerators, denominators), table.episodes), kind);
  };
  const stats::Rate per_call = rate_of(errors, table.agent_calls, IntervalKind::korn_graubard);
  const stats::Rate share = rate_of(with, table.episodes, IntervalKind::wilson);
  ChannelFindings findings;
  findings.name = selector.name;
  findings.errors = static_cast<std::uint64_t>(per_call.numerator);
  findings.per_call = per_call.estimate.figure;
  findings.per_episode =
      not_negative(rate_of(errors, table.episodes, IntervalKind::plain_t).estimate.figure);
  findings.per_successful_call =
      not_negative(rate_of(errors, successful, IntervalKind::plain_t).estimate.figure);
  findings.episodes_with = static_cast<std::uint32_t>(share.numerator);
  findings.episodes_with_share = share.estimate.figure;
  findings.tasks_with = static_cast<std::uint32_t>(per_call.tasks_with_numerator);
  findings.few_clusters = per_call.few_clusters;
  return findings;
}

// Kinds that really occur, by channel, then by count.
std::vector<ChannelFindings> kind_findings(const ArmFacts& arm, const TaskTable& table) {
  std::vector<ChannelFindings> all;
  for (const Channel channel : kModelChannels) {
    std::set<std::string> kinds;
    for (const EpisodeFacts& episode : arm.episodes) {
      if (episode.excluded != Exclusion::none) continue;
      for (const CallFacts& call : episode.calls) {
        if (call.failed && call.party == Party::agent && call.channel == channel &&
            !arm.kinds.text(call.kind).empty()) {
          kinds.insert(arm.kinds.text(call.kind));
        }
      }
    }
    std::vector<ChannelFindings> of_channel;
    for (const std::string& kind : kinds) {
      ChannelSelector selector;
      selector.name = std::string(name_of(channel)) + ":" + kind;
      selector.channels = {channel};
      selector.only_kind = kind;
      of_channel.push_back(channel_findings(arm, table, selector));
    }
    std::stable_sort(of_channel.begin(), of_channel.end(),
                     [](const auto& a, const auto& b) { return a.errors > b.errors; });
    std::move(of_channel.begin(), of_channel.end(), std::back_inserter(all));
  }
  return all;
}

RecoveryShare recovery_share(std::span<const TaskTotal> tasks, IntervalKind kind) {
  const stats::Rate rate = stats::rate(tasks, kind);
  return {.recovered = static_cast<std::uint64_t>(rate.numerator),
          .followed = static_cast<std::uint64_t>(rate.denominator),
          .share = rate.estimate.figure};
}

RecoveryFindings recovery_findings(const ArmFacts& arm, const TaskTable& table) {
  const std::vector<RecoveryCounts> counts = recovery_by_task(arm);
  const auto share = [&](std::int64_t RecoveryCounts::* numerator,
                         std::int64_t RecoveryCounts::* denominator, IntervalKind kind) {
    std::vector<TaskTotal> tasks(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
      tasks[i] = {static_cast<double>(counts[i].*numerator),
                  static_cast<double>(counts[i].*denominator)};
    }
    return recovery_share(observed(tasks, table.episodes), kind);
  };
  using C = RecoveryCounts;
  return {.next_call = share(&C::next_recovered, &C::next_followed, IntervalKind::korn_graubard),
          .run = share(&C::runs_recovered, &C::runs, IntervalKind::korn_graubard),
          .episode = share(&C::episodes_solved, &C::episodes_with_error, IntervalKind::wilson),
          .repeat = share(&C::repeats, &C::hallucinated, IntervalKind::korn_graubard)};
}

std::vector<NameCount> hallucinated_names(const ArmFacts& arm) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none) continue;
    for (const CallFacts& call : episode.calls) {
      if (call.failed && call.party == Party::agent && call.channel == Channel::tool_name) {
        ++counts[{call.name, call.kind}];
      }
    }
  }
  std::vector<NameCount> names;
  for (const auto& [key, count] : counts) {
    names.push_back({.name = arm.names.text(key.first),
                     .count = count,
                     .provenance = arm.kinds.text(key.second)});
  }
  std::sort(names.begin(), names.end(), [](const NameCount& a, const NameCount& b) {
    return std::pair(b.count, a.name) < std::pair(a.count, b.name);
  });
  return names;
}

}  // namespace

std::vector<RecoveryCounts> recovery_by_task(const ArmFacts& arm) {
  std::vector<RecoveryCounts> counts(arm.tasks.size());
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded == Exclusion::none) {
      counts[episode.task] += recovery_of(episode, Party::agent);
    }
  }
  return counts;
}

ArmFindings arm_findings(const ArmFacts& arm, const AuditSettings& settings, std::uint64_t index) {
  ArmFindings findings;
  findings.arm = arm.name;
  findings.identity = arm.identity;
  findings.harness = arm.harness;
  findings.budget = arm.budget;
  findings.reward_basis = arm.reward_basis;
  findings.missing_trials = arm.missing_trials;
  findings.inputs = arm.inputs;

  const TaskTable table = TaskTable::of(arm);
  findings.tasks = static_cast<std::uint32_t>(
      std::count_if(table.episodes.begin(), table.episodes.end(), [](auto n) { return n > 0; }));
  std::set<std::uint32_t> tried;
  for (const EpisodeFacts& episode : arm.episodes) tried.insert(episode.task);
  findings.lost_tasks = static_cast<std::uint32_t>(tried.size()) - findings.tasks;
  std::vector<std::int64_t> failed(table.agent_failed);
  for (const EpisodeFacts& episode : arm.episodes) {
    switch (episode.excluded) {
      case Exclusion::infrastructure:
        ++findings.excluded_infrastructure;
        continue;
      case Exclusion::no_reward:
        ++findings.excluded_no_reward;
        continue;
      case Exclusion::none:
        break;
    }
    ++findings.episodes;
    findings.communication_errors += episode.communication_errors;
    findings.stopped_by_budget += stopped_by_own_budget(episode, arm.budget);
    for (const CallFacts& call : episode.calls) {
      const bool agent = call.party == Party::agent;
      ++(agent ? findings.agent_calls : findings.user_calls);
      if (!call.failed) continue;
      ++(agent ? findings.agent_failed : findings.user_failed);
      findings.infrastructure_errors += call.channel == Channel::infrastructure;
    }
  }
  findings.contradictions = budget_contradictions(arm.episodes, arm.budget).contradicting;
  findings.failed_per_call =
      stats::rate(observed(totals(failed, table.agent_calls), table.episodes),
                  IntervalKind::korn_graubard)
          .estimate.figure;
  for (const ChannelSelector& selector : channel_selectors()) {
    findings.channels.push_back(channel_findings(arm, table, selector));
  }
  findings.score = score_points(arm, settings);
  findings.intercepted = intercepted_findings(arm, settings);
  if (settings.details) {
    findings.evidence = evidence_findings(arm);
    findings.consequence = consequence_findings(arm, settings);
    findings.kinds = kind_findings(arm, table);
    findings.pass = pass_powers(arm, settings);
    findings.recovery = recovery_findings(arm, table);
    findings.hallucinated = hallucinated_names(arm);
    findings.lengths = length_findings(arm, settings, index);
  }
  return findings;
}

}  // namespace unmask
