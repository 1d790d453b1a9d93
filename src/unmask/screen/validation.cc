#include "unmask/screen/validation.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/episode/facts.h"
#include "unmask/screen/jackknife.h"
#include "unmask/screen/settings.h"
#include "unmask/screen/task_errors.h"
#include "unmask/stats/figure.h"

namespace unmask::screen {
namespace {

// Both arms' sums over shared tasks.
struct Pair {
  ErrorPool ref, arm;
};

std::optional<double> factor_of(const Pair& pair) {
  const double ref = pair.ref.errors_per_solved();
  const double arm = pair.arm.errors_per_solved();
  if (!(ref > 0.0) || !(arm > 0.0)) return std::nullopt;
  return arm / ref;
}

// ln a, then predicted, observed and their difference at each budget.
std::vector<double> figures_of(const Pair& pair, double factor, const std::vector<int>& budgets) {
  std::vector<double> figures{std::log(factor)};
  const std::vector<double> lost = lost_scores(pair.ref, factor);
  for (const int k : budgets) {
    const double predicted = lost[static_cast<std::size_t>(k) - 1];
    const double observed = pair.ref.score(k) - pair.arm.score(k);
    figures.insert(figures.end(), {predicted, observed, observed - predicted});
  }
  return figures;
}

std::string why_no_factor(const Pair& pair) {
  if (pair.ref.runs.episodes == 0) return "the reference solved no episode of a shared task";
  if (pair.arm.runs.episodes == 0) return "the arm solved no episode of a shared task";
  if (pair.ref.errors_per_solved() == 0.0)
    return "no failed call in a solved episode of the reference: there is nothing to multiply";
  return "no failed call in a solved episode of the arm: its factor is 0";
}

stats::Figure exponential(stats::Figure figure) {
  if (figure.value) figure.value = std::exp(*figure.value);
  if (figure.low) figure.low = std::exp(*figure.low);
  if (figure.high) figure.high = std::exp(*figure.high);
  return figure;
}

}  // namespace

Validation validate(const ArmFacts& ref, const ArmFacts& arm, const SharedTasks& tasks, int k_obs,
                    const ScreenSettings& settings) {
  UNMASK_CHECK(tasks.ref.size() == tasks.arm.size() && k_obs >= 1);
  const std::vector<TaskErrors> ref_tasks = task_errors(ref, k_obs);
  const std::vector<TaskErrors> arm_tasks = task_errors(arm, k_obs);
  std::vector<std::size_t> used;
  Pair pair{.ref = ErrorPool(k_obs), .arm = ErrorPool(k_obs)};
  for (std::size_t i = 0; i < tasks.ref.size(); ++i) {
    if (ref_tasks[tasks.ref[i]].trials == 0 || arm_tasks[tasks.arm[i]].trials == 0) continue;
    used.push_back(i);
    pair.ref.add(ref_tasks[tasks.ref[i]]);
    pair.arm.add(arm_tasks[tasks.arm[i]]);
  }
  Validation result;
  result.shared_tasks = static_cast<std::uint32_t>(used.size());
  result.solved_ref = static_cast<std::uint32_t>(pair.ref.runs.episodes);
  result.solved_arm = static_cast<std::uint32_t>(pair.arm.runs.episodes);
  const std::optional<double> factor = factor_of(pair);
  if (!factor) {
    result.reason = used.empty() ? stats::kNoTasks : why_no_factor(pair);
    result.factor = stats::missing(result.reason);
    return result;
  }
  const std::vector<int> budgets = headline_budgets(settings, k_obs);
  const std::vector<double> values = figures_of(pair, *factor, budgets);
  std::vector<std::vector<double>> left_out(values.size());
  bool held_by_one = false;
  for (const std::size_t i : used) {
    pair.ref.add(ref_tasks[tasks.ref[i]], -1);
    pair.arm.add(arm_tasks[tasks.arm[i]], -1);
    const std::optional<double> without = used.size() > 1 ? factor_of(pair) : std::nullopt;
    held_by_one = held_by_one || (used.size() > 1 && !without);
    const std::vector<double> figures =
        without ? figures_of(pair, *without, budgets) : std::vector<double>{};
    for (std::size_t j = 0; j < figures.size(); ++j) left_out[j].push_back(figures[j]);
    pair.ref.add(ref_tasks[tasks.ref[i]]);
    pair.arm.add(arm_tasks[tasks.arm[i]]);
  }
  std::vector<stats::Figure> figures;
  for (std::size_t j = 0; j < values.size(); ++j) {
    figures.push_back(held_by_one
                          ? stats::without_interval(
                                values[j], "one task holds all errors of solved episodes of an arm")
                          : jackknife_figure(values[j], left_out[j]));
  }
  result.factor = exponential(figures.front());
  for (std::size_t b = 0; b < budgets.size(); ++b) {
    result.points.push_back({.k = budgets[b],
                             .predicted = figures[1 + 3 * b],
                             .observed = figures[2 + 3 * b],
                             .difference = figures[3 + 3 * b]});
  }
  return result;
}

}  // namespace unmask::screen
