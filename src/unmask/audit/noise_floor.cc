#include "unmask/audit/noise_floor.h"

#include <algorithm>
#include <string>

#include "unmask/audit/channel_comparison.h"
#include "unmask/base/rng.h"
#include "unmask/budget/counterfactual.h"
#include "unmask/stats/amplification.h"
#include "unmask/stats/quantile.h"

namespace unmask {
namespace {

constexpr std::size_t kSplits = 200;

// One observed episode as a split sees it.
struct Row {
  double solved = 0.0;
  std::vector<double> errors;  // by channel selector of the family
};

Figure percentiles(std::vector<double> values, const char* reason) {
  if (values.size() < kSplits / 2) return stats::missing(reason);
  return {stats::quantile(values, 0.5),
          stats::quantile(values, 0.025),
          stats::quantile(values, 0.975),
          {}};
}

NullFindings from_null_arm(const ArmFacts& reference, const ArmFacts& null_arm,
                           const AuditSettings& settings, std::uint64_t index) {
  const ArmPair pair = pair_arms(reference, null_arm, settings, index);
  NullFindings findings{.from_null_arm = true, .arm = null_arm.name};
  findings.shared_tasks = static_cast<std::uint32_t>(pair.tasks.size());
  if (pair.tasks.size() == 0) {
    findings.reason = "the null arm shares no task with the reference";
    return findings;
  }
  ComparisonFindings scores;
  compare_scores(pair, settings, scores);
  findings.gap = scores.gap.back().gap.figure;
  findings.amplification = compare_channels(pair, settings);
  return findings;
}

NullFindings from_halves(const ArmFacts& reference, const AuditSettings& settings,
                         std::uint64_t index) {
  const std::vector<ChannelSelector>& selectors = channel_selectors();
  std::vector<CallMatcher> matchers;
  std::vector<std::vector<Row>> by_task(reference.tasks.size());
  for (const ChannelSelector& selector : selectors) matchers.emplace_back(selector, reference);
  const int last = reference.budget.enforced.value_or(settings.shown_budget);
  for (const EpisodeFacts& episode : reference.episodes) {
    if (episode.excluded != Exclusion::none) continue;
    Row row{.errors = std::vector<double>(selectors.size())};
    row.solved =
        counterfactual(episode, reference.budget, {}).at(last) == Outcome::passed ? 1.0 : 0.0;
    for (const CallFacts& call : episode.calls) {
      if (call.party != Party::agent || !call.failed) continue;
      for (std::size_t c = 0; c < selectors.size(); ++c)
        row.errors[c] += matchers[c](call) ? 1.0 : 0.0;
    }
    by_task[episode.task].push_back(std::move(row));
  }
  std::erase_if(by_task, [](const std::vector<Row>& rows) { return rows.size() < 2; });

  NullFindings findings{.arm = reference.name};
  findings.shared_tasks = static_cast<std::uint32_t>(by_task.size());
  if (by_task.size() < 2) {
    findings.reason = "split halves need at least two tasks with two trials each";
    findings.gap = stats::missing(findings.reason);
    return findings;
  }
  std::vector<std::vector<double>> ratios(selectors.size());
  std::vector<double> gaps;
  for (std::size_t split = 0; split < kSplits; ++split) {
    Rng rng(settings.seed, "split_halves", index * kSplits + split);
    std::vector<double> first(selectors.size()), second(selectors.size());
    double gap = 0.0;
    for (const std::vector<Row>& rows : by_task) {
      std::vector<std::uint32_t> order(rows.size());
      for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
      rng.shuffle(std::span(order));
      const std::size_t half = rows.size() / 2;  // an odd trial sits out
      double solved_first = 0.0, solved_second = 0.0;
      for (std::size_t i = 0; i < 2 * half; ++i) {
        const Row& row = rows[order[i]];
        (i < half ? solved_first : solved_second) += row.solved;
        std::vector<double>& errors = i < half ? first : second;
        for (std::size_t c = 0; c < errors.size(); ++c) errors[c] += row.errors[c];
      }
      gap += (solved_first - solved_second) / static_cast<double>(half);
    }
    gaps.push_back(gap / static_cast<double>(by_task.size()));
    for (std::size_t c = 0; c < selectors.size(); ++c) {
      if (first[c] > 0.0 && second[c] > 0.0) ratios[c].push_back(second[c] / first[c]);
    }
  }
  findings.gap = percentiles(gaps, "too few splits");
  for (std::size_t c = 0; c < selectors.size(); ++c) {
    AmplificationFindings& channel = findings.amplification.emplace_back();
    channel.channel = selectors[c].name;
    channel.in_family = selectors[c].in_family;
    channel.ratio = percentiles(ratios[c], "too few errors for halves");
    const std::vector<std::int64_t> errors = errors_by_task(reference, selectors[c]);
    channel.tasks_with = static_cast<std::uint32_t>(
        std::count_if(errors.begin(), errors.end(), [](std::int64_t n) { return n > 0; }));
    channel.tested = channel.tasks_with >= stats::kTestedTasks;
  }
  return findings;
}

}  // namespace

NullFindings noise_floor(const ArmFacts& reference, const ArmFacts* null_arm,
                         const AuditSettings& settings, std::uint64_t index) {
  return null_arm != nullptr ? from_null_arm(reference, *null_arm, settings, index)
                             : from_halves(reference, settings, index);
}

}  // namespace unmask
