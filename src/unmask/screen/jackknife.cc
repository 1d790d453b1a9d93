#include "unmask/screen/jackknife.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "unmask/screen/task_errors.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/interval.h"
#include "unmask/stats/moments.h"

namespace unmask::screen {

stats::Figure jackknife_figure(double value, std::span<const double> left_out) {
  if (left_out.size() < 2) return stats::without_interval(value, stats::kOneTask);
  const double se = stats::jackknife_se(left_out);
  if (se == 0.0) return stats::without_interval(value, stats::kNoSpread);
  const stats::Interval interval =
      stats::t_interval(value, se, static_cast<double>(left_out.size()) - 1.0);
  return {.value = value, .low = interval.low, .high = interval.high, .reason = {}};
}

std::vector<stats::Figure> jackknife_figures(
    std::span<const TaskErrors> tasks, int last_budget,
    const std::function<std::vector<double>(const ErrorPool&)>& figures_of) {
  ErrorPool pool = pooled(tasks, last_budget);
  const std::vector<double> values = figures_of(pool);
  std::vector<std::vector<double>> left_out(values.size());
  for (const TaskErrors& task : tasks) {
    if (task.trials == 0) continue;
    pool.add(task, -1);
    const std::vector<double> without = figures_of(pool);
    pool.add(task);
    for (std::size_t i = 0; i < values.size(); ++i) left_out[i].push_back(without[i]);
  }
  std::vector<stats::Figure> figures;
  figures.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    figures.push_back(jackknife_figure(values[i], left_out[i]));
  return figures;
}

}  // namespace unmask::screen
