#include "unmask/audit/channel_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "unmask/audit/arm_findings.h"
#include "unmask/base/interner.h"
#include "unmask/stats/amplification.h"
#include "unmask/stats/detectable.h"
#include "unmask/stats/interval.h"
#include "unmask/stats/name_counts.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/sign_flip.h"

namespace unmask {
namespace {

using stats::TaskPair;
using stats::TaskTotal;

constexpr std::size_t kTasksForDesignEffect = 10;  // STATISTICS: zero counts
constexpr std::size_t kTasksForSmallDifference = 8;

std::vector<TaskTotal> one_side(const std::vector<TaskPair>& pairs, TaskTotal TaskPair::* side) {
  std::vector<TaskTotal> tasks;
  tasks.reserve(pairs.size());
  for (const TaskPair& pair : pairs) tasks.push_back(pair.*side);
  return tasks;
}

// One-sided bound of the arm's errors a call where it has none.
std::optional<double> zero_bound(const stats::Rate& with_none, const stats::Rate& other,
                                 const std::vector<TaskTotal>& tasks) {
  const auto with_calls = static_cast<double>(std::count_if(
      tasks.begin(), tasks.end(), [](const TaskTotal& task) { return task.denominator > 0; }));
  if (with_calls == 0.0 || with_none.denominator == 0.0) return std::nullopt;
  return stats::zero_count_upper_bound(
      with_none.denominator, with_calls,
      other.tasks_with_numerator >= kTasksForDesignEffect ? other.deff : std::nullopt);
}

AmplificationFindings compare_channel(const ArmPair& pair, const ChannelSelector& selector,
                                      const TaskTable& ref_table, const TaskTable& arm_table,
                                      const AuditSettings& settings, std::uint64_t stream) {
  const std::vector<std::int64_t> ref_errors = errors_by_task(*pair.ref, selector);
  const std::vector<std::int64_t> arm_errors = errors_by_task(*pair.arm, selector);
  const auto pairs_over = [&](std::span<const std::int64_t> ref_denominator,
                              std::span<const std::int64_t> arm_denominator) {
    return paired(pair.tasks, totals(ref_errors, ref_denominator),
                  totals(arm_errors, arm_denominator));
  };
  const auto successful = [](const TaskTable& table) {
    std::vector<std::int64_t> calls(table.agent_calls);
    for (std::size_t i = 0; i < calls.size(); ++i) calls[i] -= table.agent_failed[i];
    return calls;
  };
  const std::vector<TaskPair> by_episode = pairs_over(ref_table.episodes, arm_table.episodes);
  const std::vector<TaskPair> by_call = pairs_over(ref_table.agent_calls, arm_table.agent_calls);
  const std::vector<TaskPair> by_success = pairs_over(successful(ref_table), successful(arm_table));

  const stats::Amplification amplification = stats::amplification(by_episode);
  const stats::Amplification of_calls = stats::amplification(by_call);
  AmplificationFindings findings;
  findings.channel = selector.name;
  findings.in_family = selector.in_family;
  for (const TaskPair& task : by_episode) {
    findings.errors_ref += static_cast<std::uint64_t>(task.reference.numerator);
    findings.errors_arm += static_cast<std::uint64_t>(task.arm.numerator);
  }
  findings.ratio = amplification.ratio.figure;
  findings.plain_ratio = amplification.plain_ratio;
  findings.ratio_upper = amplification.ratio.upper_bound;
  findings.per_call = of_calls.ratio.figure;
  findings.per_successful_call = stats::amplification(by_success).ratio.figure;
  findings.difference = of_calls.difference.figure;
  findings.difference_upper = of_calls.difference.upper_bound;
  findings.tasks_with = static_cast<std::uint32_t>(amplification.tasks_with_errors);

  const std::vector<TaskTotal> ref_calls = one_side(by_call, &TaskPair::reference);
  const std::vector<TaskTotal> arm_calls = one_side(by_call, &TaskPair::arm);
  const stats::Rate ref_rate = stats::rate(ref_calls, stats::IntervalKind::korn_graubard);
  const stats::Rate arm_rate = stats::rate(arm_calls, stats::IntervalKind::korn_graubard);
  if (findings.errors_arm == 0) {
    findings.zero_upper = zero_bound(arm_rate, ref_rate, arm_calls);
    findings.rate_upper = findings.zero_upper;
  } else {
    findings.rate_upper = arm_rate.estimate.upper_bound;
    if (findings.errors_ref == 0) findings.zero_upper = zero_bound(ref_rate, arm_rate, ref_calls);
  }

  if (amplification.tested()) {
    const stats::FlipTest test = stats::rate_flip_test(
        by_episode, {.seed = settings.seed, .index = stream, .replicates = settings.sign_flips});
    findings.p = test.p;
    findings.tested = test.p.has_value();
    findings.reason = test.p ? findings.ratio.reason : test.reason;
    if (const auto detectable =
            stats::smallest_detectable(amplification.se_ln, pair.tasks.size(), settings.alpha)) {
      findings.detectable_ratio = std::exp(*detectable);
    }
  } else {
    findings.reason = "not tested: too few errors";
  }
  return findings;
}

// The name of a failure: the called name in the tool-name channel, else tool and kind of error.
std::string failure_name(const ArmFacts& arm, const CallFacts& call) {
  if (call.channel == Channel::tool_name) return arm.names.text(call.name);
  return arm.names.text(call.name) + ' ' + arm.kinds.text(call.kind);
}

struct NameRows {
  std::vector<stats::NameRow> rows;
  std::vector<std::uint32_t> trials;
};

NameRows name_rows(const ArmFacts& arm, std::span<const std::uint32_t> tasks,
                   const ChannelSelector& selector, Interner& names) {
  constexpr std::uint32_t kNotShared = ~0U;
  std::vector<std::uint32_t> shared(arm.tasks.size(), kNotShared);
  for (std::uint32_t i = 0; i < tasks.size(); ++i) shared[tasks[i]] = i;
  const CallMatcher matches(selector, arm);
  NameRows result;
  result.trials.resize(tasks.size());
  std::uint32_t episode_id = 0;
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none || shared[episode.task] == kNotShared) continue;
    ++result.trials[shared[episode.task]];
    for (const CallFacts& call : episode.calls) {
      if (call.party != Party::agent || !matches(call)) continue;
      result.rows.push_back({.task = shared[episode.task],
                             .episode = episode_id,
                             .name = names.intern(failure_name(arm, call)),
                             .count = 1});
    }
    ++episode_id;
  }
  return result;
}

std::uint32_t most(const std::vector<std::uint32_t>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

}  // namespace

std::vector<AmplificationFindings> compare_channels(const ArmPair& pair,
                                                    const AuditSettings& settings) {
  const TaskTable ref_table = TaskTable::of(*pair.ref);
  const TaskTable arm_table = TaskTable::of(*pair.arm);
  std::vector<AmplificationFindings> all;
  for (const ChannelSelector& selector : channel_selectors()) {
    if (!settings.details && !selector.in_family) continue;
    all.push_back(compare_channel(pair, selector, ref_table, arm_table, settings,
                                  pair.index * 64 + all.size()));
  }
  return all;
}

ChannelEvidence settle_channels(std::vector<AmplificationFindings>& channels,
                                const AuditSettings& settings) {
  ChannelEvidence evidence{.all_quiet = true};
  for (AmplificationFindings& channel : channels) {
    const bool from_zero = channel.errors_ref == 0 && channel.errors_arm > 0;
    const bool large = from_zero || channel.plain_ratio.value_or(0.0) >= settings.amplified_ratio;
    const std::optional<double> deciding = channel.in_family ? channel.p_adjusted : channel.p;
    channel.amplified = channel.tested && deciding && *deciding < settings.alpha && large;
    channel.quiet =
        channel.errors_arm == 0 ||
        (channel.ratio_upper && *channel.ratio_upper < settings.amplified_ratio) ||
        (channel.rate_upper && *channel.rate_upper < settings.near_zero_rate) ||
        (channel.difference_upper && *channel.difference_upper < settings.quiet_difference &&
         channel.tasks_with >= kTasksForSmallDifference);
    const Figure& neutral = channel.per_successful_call;
    channel.longer_not_worse = channel.amplified && neutral.value && neutral.low &&
                               (*neutral.value < settings.amplified_ratio || *neutral.low <= 1.0);
    const bool more = from_zero || channel.plain_ratio.value_or(0.0) > 1.0;
    channel.rising = channel.tested && more && channel.p && *channel.p < settings.alpha;
    if (!channel.in_family) continue;
    evidence.any_amplified = evidence.any_amplified || channel.amplified;
    evidence.all_quiet = evidence.all_quiet && channel.quiet;
    evidence.any_rising = evidence.any_rising || channel.rising;
  }
  return evidence;
}

std::vector<FailureSetFindings> compare_failure_sets(const ArmPair& pair,
                                                     const AuditSettings& settings) {
  std::vector<FailureSetFindings> all;
  std::uint64_t stream = pair.index * 64;
  for (const ChannelSelector& selector : failure_set_selectors()) {
    ++stream;
    Interner names;
    const NameRows ref = name_rows(*pair.ref, pair.tasks.ref, selector, names);
    const NameRows arm = name_rows(*pair.arm, pair.tasks.arm, selector, names);
    if (ref.rows.empty() && arm.rows.empty()) continue;
    const stats::FailureSet set = stats::failure_set({.tasks = pair.tasks.size(),
                                                      .names = names.size(),
                                                      .reference = ref.rows,
                                                      .arm = arm.rows,
                                                      .reference_trials = ref.trials,
                                                      .arm_trials = arm.trials},
                                                     {.seed = settings.seed,
                                                      .index = stream,
                                                      .flips = settings.sign_flips,
                                                      .swaps = settings.label_swaps,
                                                      .invariant_excess = settings.novelty_margin});
    FailureSetFindings findings;
    findings.channel = selector.name;
    findings.reason = set.reason;
    findings.names = names.size();
    findings.spearman = set.rank.spearman;
    findings.kendall = set.rank.kendall_tau_b;
    findings.ceiling_median = set.ceiling.median;
    findings.ceiling_low = set.ceiling.low;
    findings.outcome = set.outcome;
    findings.one_trial = most(ref.trials) <= 1;
    if (set.outcome != stats::FailureSetOutcome::too_few_errors) {
      findings.novel_share = set.novelty.novel_share;
      findings.novel_expected = set.novelty.good_turing_episode;
      findings.novel_rarefied = set.novelty.novel_distinct_share_rarefied;
      findings.excess = set.novelty.excess.figure;
      findings.shape = set.shape.h;
      findings.shape_p = set.shape.p;
      findings.total_variation = set.pooled.total_variation;
      findings.jensen_shannon = set.pooled.js_distance;
    } else {
      findings.excess = stats::missing(set.reason);
    }
    all.push_back(std::move(findings));
  }
  return all;
}

std::vector<RateDifference> compare_recovery(const ArmPair& pair) {
  const std::vector<RecoveryCounts> ref = recovery_by_task(*pair.ref);
  const std::vector<RecoveryCounts> arm = recovery_by_task(*pair.arm);
  using C = RecoveryCounts;
  struct Share {
    const char* name;
    std::int64_t C::* numerator;
    std::int64_t C::* denominator;
  };
  std::vector<RateDifference> differences;
  for (const Share& share :
       {Share{"next_call_recovery", &C::next_recovered, &C::next_followed},
        Share{"run_recovery", &C::runs_recovered, &C::runs},
        Share{"episode_recovery", &C::episodes_solved, &C::episodes_with_error},
        Share{"repeat_share", &C::repeats, &C::hallucinated}}) {
    const auto side = [&](const std::vector<RecoveryCounts>& counts) {
      std::vector<TaskTotal> tasks(counts.size());
      for (std::size_t i = 0; i < counts.size(); ++i) {
        tasks[i] = {static_cast<double>(counts[i].*share.numerator),
                    static_cast<double>(counts[i].*share.denominator)};
      }
      return tasks;
    };
    const std::vector<TaskPair> pairs = paired(pair.tasks, side(ref), side(arm));
    differences.push_back({.name = share.name,
                           .difference = stats::rate_difference(pairs).figure,
                           .ratio = stats::amplification(pairs).ratio.figure});
  }
  return differences;
}

}  // namespace unmask
