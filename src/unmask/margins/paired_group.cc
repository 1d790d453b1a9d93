#include "unmask/margins/paired_group.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "unmask/margins/noise.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/task_total.h"

namespace unmask::margins {

Noise WindowedNoise::without(std::size_t task) const {
  NoiseSums rest = total;
  rest -= by_task.at(task);
  return noise_of(rest, origin);
}

WindowedNoiseOrReason windowed_noise(const PairedGroup& group) {
  const std::optional<double> window = noise_window(group.decisions);
  if (!window) return {.noise = {}, .reason = "fewer than two decisions"};
  if (*window == 0.0)
    return {.noise = {}, .reason = "no noise: the margins differ by the same at every decision"};
  WindowedNoise noise{.window = *window,
                      .origin = noise_origin(group.decisions),
                      .total = {},
                      .by_task = std::vector<NoiseSums>(group.tasks)};
  for (const PairedMargin& decision : group.decisions) {
    if (std::abs(decision.reference) > noise.window) continue;
    noise.by_task[decision.task].add(decision.reference - noise.origin.margin,
                                     decision.error() - noise.origin.error);
  }
  for (const NoiseSums& sums : noise.by_task) noise.total += sums;
  return {.noise = std::move(noise), .reason = {}};
}

stats::Figure share_of(const PairedGroup& group, const Chosen& counts, const Chosen& of,
                       const char* none) {
  std::vector<stats::TaskTotal> tasks(group.tasks);
  for (const PairedMargin& decision : group.decisions) {
    if (!of(decision)) continue;
    stats::TaskTotal& total = tasks[decision.task];
    total.denominator += 1.0;
    if (counts(decision)) total.numerator += 1.0;
  }
  std::erase_if(tasks, [](const stats::TaskTotal& total) { return total.denominator == 0.0; });
  if (tasks.empty()) return stats::missing(none);
  return stats::rate(tasks, stats::IntervalKind::wilson).estimate.figure;
}

}  // namespace unmask::margins
