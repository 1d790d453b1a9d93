#include "unmask/audit/score_table.h"

#include <algorithm>
#include <cstdint>

#include "unmask/budget/budget_regime.h"
#include "unmask/stats/pass_k.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/score.h"

namespace unmask {
namespace {

std::vector<stats::TaskTotal> with_trials(const SuccessCurve& curve, int budget, BandEnd end) {
  std::vector<stats::TaskTotal> tasks;
  tasks.reserve(curve.tasks.size());
  for (const TaskCurve& task : curve.tasks) {
    tasks.push_back(
        {static_cast<double>(task.passed(budget, end)), static_cast<double>(task.trials)});
  }
  return tasks;
}

std::optional<double> one_end(const std::optional<Band>& band, BandEnd end) {
  if (!band) return std::nullopt;
  return end == BandEnd::low ? band->low : band->high;
}

int last_budget(const ArmFacts& arm, const AuditSettings& settings) {
  return observed_budget(arm.budget).value_or(settings.shown_budget);
}

}  // namespace

std::vector<stats::TaskTotal> solved_by_task(const ArmFacts& arm, const SuccessCurve& curve,
                                             int budget, BandEnd end) {
  std::vector<stats::TaskTotal> tasks(arm.tasks.size());
  for (const TaskCurve& task : curve.tasks) {
    tasks[task.task] = {static_cast<double>(task.passed(budget, end)),
                        static_cast<double>(task.trials)};
  }
  return tasks;
}

std::vector<ScorePoint> score_points(const ArmFacts& arm, const AuditSettings& settings) {
  CurveOptions options{.last_budget = last_budget(arm, settings)};
  const SuccessCurve curve = success_curve(arm, options);
  options.vanished = VanishedAs::failed;
  options.trials_promised = arm.trials_promised;
  const SuccessCurve all_failed = success_curve(arm, options);
  options.vanished = VanishedAs::passed;
  const SuccessCurve all_passed = success_curve(arm, options);

  std::vector<ScorePoint> points;
  for (int k = 1; k <= options.last_budget; ++k) {
    ScorePoint point;
    point.k = k;
    point.score = stats::score(with_trials(curve, k, BandEnd::low)).figure;
    point.episode_mean = one_end(episode_score(curve, k), BandEnd::low);
    if (const std::optional<Band> band = score(curve, k); band && !band->exact()) {
      point.lower = band->low;
      point.upper = band->high;
    }
    if (all_failed.vanished > 0) {
      point.excluded_failed = one_end(score(all_failed, k), BandEnd::low);
      point.excluded_passed = one_end(score(all_passed, k), BandEnd::high);
    }
    points.push_back(std::move(point));
  }
  return points;
}

std::vector<PassPowers> pass_powers(const ArmFacts& arm, const AuditSettings& settings) {
  const int last = last_budget(arm, settings);
  const SuccessCurve curve = success_curve(arm, {.last_budget = last});
  std::uint32_t most_trials = 0;
  for (const TaskCurve& task : curve.tasks) most_trials = std::max(most_trials, task.trials);
  std::vector<PassPowers> powers;
  for (int budget = 1; budget <= last; ++budget) {
    PassPowers at{.budget = budget};
    const std::vector<stats::TaskTotal> tasks = with_trials(curve, budget, BandEnd::low);
    for (std::uint32_t k = 1; k <= most_trials; ++k) {
      at.pass.push_back(stats::pass_hat_k(tasks, k).figure);
    }
    powers.push_back(std::move(at));
  }
  return powers;
}

}  // namespace unmask
