#include "unmask/audit/score_comparison.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "unmask/base/check.h"
#include "unmask/budget/budget_regime.h"
#include "unmask/stats/detectable.h"
#include "unmask/stats/equivalence.h"
#include "unmask/stats/paired_difference.h"
#include "unmask/stats/score.h"

namespace unmask {
namespace {

constexpr std::size_t kNoTask = std::numeric_limits<std::size_t>::max();

std::vector<std::size_t> curve_index(const ArmFacts& arm, const SuccessCurve& curve,
                                     std::span<const std::uint32_t> tasks) {
  std::vector<std::size_t> by_task(arm.tasks.size(), kNoTask);
  for (std::size_t i = 0; i < curve.tasks.size(); ++i) by_task[curve.tasks[i].task] = i;
  std::vector<std::size_t> index;
  index.reserve(tasks.size());
  for (const std::uint32_t task : tasks) index.push_back(by_task[task]);
  return index;
}

SuccessCurve curve_of(const ArmFacts& arm, const ArmPair& pair, const ScoreTreatment& treatment) {
  return success_curve(
      arm, {.semantics = treatment.semantics,
            .last_budget = pair.k_obs,
            .vanished = treatment.vanished,
            .trials_promised =
                treatment.vanished == VanishedAs::left_out ? std::nullopt : arm.trials_promised,
            .stray_writes = treatment.stray_writes});
}

}  // namespace

stats::Resampling stream_of(const ArmPair& pair, const AuditSettings& settings,
                            std::uint64_t purpose) {
  return {
      .seed = settings.seed, .index = pair.index * 64 + purpose, .replicates = settings.sign_flips};
}

ArmPair pair_arms(const ArmFacts& ref, const ArmFacts& arm, const AuditSettings& settings,
                  std::uint64_t index) {
  const std::optional<int> observed = observed_budget(ref.budget, arm.budget);
  return {.ref = &ref,
          .arm = &arm,
          .tasks = pair_tasks(ref, arm),
          .k_obs = observed.value_or(settings.shown_budget),
          .censored = observed.has_value(),
          .index = index};
}

ScoreComparison::ScoreComparison(const ArmPair& pair, const ScoreTreatment& treatment)
    : pair_(&pair),
      end_(treatment.end),
      ref_(curve_of(*pair.ref, pair, treatment)),
      arm_(curve_of(*pair.arm, pair, treatment)),
      ref_index_(curve_index(*pair.ref, ref_, pair.tasks.ref)),
      arm_index_(curve_index(*pair.arm, arm_, pair.tasks.arm)) {}

std::vector<stats::TaskPair> ScoreComparison::at(int budget) const {
  std::vector<stats::TaskPair> tasks;
  tasks.reserve(ref_index_.size());
  for (std::size_t i = 0; i < ref_index_.size(); ++i) {
    if (ref_index_[i] == kNoTask || arm_index_[i] == kNoTask) continue;
    const TaskCurve& ref = ref_.tasks[ref_index_[i]];
    const TaskCurve& arm = arm_.tasks[arm_index_[i]];
    tasks.push_back(
        {{static_cast<double>(ref.passed(budget, end_)), static_cast<double>(ref.trials)},
         {static_cast<double>(arm.passed(budget, end_)), static_cast<double>(arm.trials)}});
  }
  return tasks;
}

std::vector<stats::TaskPair> ScoreComparison::widening(int budget) const {
  std::vector<stats::TaskPair> tasks = at(budget);
  const std::vector<stats::TaskPair> whole = at(pair_->k_obs);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tasks[i].reference.numerator -= whole[i].reference.numerator;
    tasks[i].arm.numerator -= whole[i].arm.numerator;
  }
  return tasks;
}

std::vector<stats::TaskPair> ScoreComparison::area() const {
  std::vector<stats::TaskPair> sum = at(1);
  for (int k = 2; k <= pair_->k_obs; ++k) {
    const std::vector<stats::TaskPair> tasks = at(k);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i].reference.numerator += tasks[i].reference.numerator;
      sum[i].arm.numerator += tasks[i].arm.numerator;
    }
  }
  for (stats::TaskPair& task : sum) {
    task.reference.denominator *= pair_->k_obs;
    task.arm.denominator *= pair_->k_obs;
  }
  return sum;
}

ScoreEvidence ScoreComparison::evidence(const AuditSettings& settings) const {
  ScoreEvidence evidence;
  const int first = settings.budgets.front();
  const std::vector<stats::TaskPair> whole = at(pair_->k_obs);
  const stats::PairedDifference gap =
      stats::paired_difference(whole, stream_of(*pair_, settings, 0));
  evidence.gap = gap.estimate.figure.value.value_or(0.0);
  evidence.gap_p = gap.test.p;
  evidence.equivalent_at_k_obs =
      stats::equivalence(stats::differences(whole), settings.margin, settings.alpha).equivalent();
  evidence.has_widening = first < pair_->k_obs;
  if (evidence.has_widening) {
    const stats::PairedDifference wider =
        stats::paired_difference(widening(first), stream_of(*pair_, settings, 1));
    evidence.widening = wider.estimate.figure.value.value_or(0.0);
    evidence.widening_p = wider.test.p;
    evidence.equivalent_at_first =
        stats::equivalence(stats::differences(at(first)), settings.margin, settings.alpha)
            .equivalent();
  }
  return evidence;
}

void compare_scores(const ArmPair& pair, const AuditSettings& settings,
                    ComparisonFindings& findings) {
  findings.k_obs = pair.k_obs;
  findings.censored = pair.censored;
  findings.shared_tasks = static_cast<std::uint32_t>(pair.tasks.size());
  findings.left_out_tasks = pair.tasks.left_out;
  const ScoreComparison comparison(pair, {});

  for (int k = 1; k <= pair.k_obs; ++k) {
    const std::vector<stats::TaskPair> tasks = comparison.at(k);
    const stats::PairedDifference gap = stats::paired_difference(
        tasks, stream_of(pair, settings, k == pair.k_obs ? 0 : 2 + static_cast<std::uint64_t>(k)));
    findings.gap.push_back(
        {.k = k, .gap = {.figure = gap.estimate.figure, .p = gap.test.p, .p_adjusted = {}}});
    if (k == pair.k_obs) {
      findings.detectable_gap =
          stats::smallest_detectable(gap.estimate.se, gap.estimate.tasks, settings.alpha);
    }
    const bool wanted =
        k == pair.k_obs ||
        std::find(settings.budgets.begin(), settings.budgets.end(), k) != settings.budgets.end();
    if (!wanted) continue;
    const stats::Equivalence equivalence =
        stats::equivalence(stats::differences(tasks), settings.margin, settings.alpha);
    findings.equivalence.push_back(
        {.k = k,
         .p = equivalence.p,
         .p_lower = equivalence.p_lower,
         .p_upper = equivalence.p_upper,
         .equivalent = equivalence.equivalent(),
         .non_inferior = equivalence.non_inferior(),
         .differing = static_cast<std::uint32_t>(equivalence.worse + equivalence.better),
         .counted = equivalence.method == stats::Equivalence::Method::binomial,
         .tasks_needed = stats::guarded_tasks_needed(equivalence)});
  }
  for (const int k : settings.budgets) {
    if (k >= pair.k_obs) continue;
    const bool first = k == settings.budgets.front();
    const stats::PairedDifference wider = stats::paired_difference(
        comparison.widening(k),
        stream_of(pair, settings, first ? 1 : 32 + static_cast<std::uint64_t>(k) % 32));
    findings.widening.push_back(
        {.k = k,
         .widening = {.figure = wider.estimate.figure, .p = wider.test.p, .p_adjusted = {}}});
    if (first) {
      findings.detectable_widening =
          stats::smallest_detectable(wider.estimate.se, wider.estimate.tasks, settings.alpha);
    }
  }
  findings.area =
      stats::paired_difference(comparison.area(), stream_of(pair, settings, 2)).estimate.figure;

  const GapPoint* whole = findings.gap_at(pair.k_obs);
  const GapPoint* tight = findings.gap_at(settings.budgets.front());
  if (whole != nullptr && tight != nullptr && whole->gap.figure.low && whole->gap.figure.high &&
      (*whole->gap.figure.low > 0.0 || *whole->gap.figure.high < 0.0)) {
    findings.gap_ratio = *tight->gap.figure.value / *whole->gap.figure.value;
  }
}

}  // namespace unmask
