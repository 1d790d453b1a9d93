#include "unmask/margins/noise_findings.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unmask/margins/findings.h"
#include "unmask/margins/noise.h"
#include "unmask/margins/paired_group.h"
#include "unmask/margins/task_jackknife.h"
#include "unmask/stats/figure.h"

namespace unmask::margins {
namespace {

stats::Figure figure_of(const WindowedNoise& windowed, std::optional<double> Noise::* member,
                        Range range, const char* none) {
  const std::optional<double> value = windowed.noise().*member;
  if (!value || (range == Range::positive && *value <= 0.0)) return stats::missing(none);
  std::vector<std::optional<double>> left_out;
  left_out.reserve(windowed.by_task.size());
  for (std::size_t task = 0; task < windowed.by_task.size(); ++task)
    left_out.push_back(windowed.without(task).*member);
  return with_jackknife(*value, left_out, range);
}

// How many decisions lie closer to 0 than `limit`.
double closer_than(const PairedGroup& group, double limit) {
  double count = 0.0;
  for (const PairedMargin& decision : group.decisions) {
    if (std::abs(decision.reference) < limit) count += 1.0;
  }
  return count;
}

}  // namespace

NoiseFindings noise_findings(const PairedGroup& group, const WindowedNoiseOrReason& windowed) {
  NoiseFindings found;
  if (!windowed.noise) {
    found.window = noise_window(group.decisions);
    found.bias = found.sigma = found.slope = stats::missing(windowed.reason);
    return found;
  }
  const WindowedNoise& noise = *windowed.noise;
  found.window = noise.window;
  found.inside = static_cast<std::uint32_t>(noise.total.count);
  constexpr const char* kNone = "no decision inside of the window";
  constexpr const char* kOne = "fewer than two decisions, or no noise, inside of the window";
  found.bias = figure_of(noise, &Noise::bias, Range::any, kNone);
  found.sigma = figure_of(noise, &Noise::sigma, Range::positive, kOne);
  found.slope = figure_of(noise, &Noise::slope, Range::any,
                          "fewer than two different margins inside of the window");
  return found;
}

stats::Figure thin_share(const PairedGroup& group, const WindowedNoiseOrReason& windowed) {
  if (!windowed.noise) return stats::missing(windowed.reason);
  const std::optional<double> sigma = windowed.noise->noise().sigma;
  if (!sigma || *sigma == 0.0) return stats::missing("sigma can't be had");
  const auto all = static_cast<double>(group.decisions.size());
  const double thin = closer_than(group, 2.0 * *sigma);
  const double density =
      (closer_than(group, 2.5 * *sigma) - closer_than(group, 1.5 * *sigma)) / (all * 0.5 * *sigma);
  std::vector<double> thin_of(group.tasks);
  std::vector<double> all_of(group.tasks);
  for (const PairedMargin& decision : group.decisions) {
    all_of[decision.task] += 1.0;
    if (std::abs(decision.reference) < 2.0 * *sigma) thin_of[decision.task] += 1.0;
  }
  std::vector<std::optional<double>> left_out;
  left_out.reserve(group.tasks);
  for (std::size_t task = 0; task < group.tasks; ++task) {
    const std::optional<double> other = windowed.noise->without(task).sigma;
    if (!other || all_of[task] == all) {
      left_out.emplace_back();
      continue;
    }
    left_out.emplace_back((thin - thin_of[task]) / (all - all_of[task]) +
                          density * (*other - *sigma));
  }
  return with_jackknife(thin / all, left_out, Range::share);
}

}  // namespace unmask::margins
