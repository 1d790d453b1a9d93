#include "unmask/margins/calibration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "unmask/margins/findings.h"
#include "unmask/margins/noise.h"
#include "unmask/margins/paired_group.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/quantile.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/task_total.h"

namespace unmask::margins {
namespace {

constexpr std::size_t kBins = 10;
constexpr std::size_t kFewestCalibrated = 2 * kBins;
constexpr double kHistogramBins = 20.0;
constexpr double kMostBins = 60.0;

CalibrationBin bin_of(const PairedGroup& group, std::span<const std::size_t> members,
                      std::span<const std::optional<double>> probability) {
  CalibrationBin bin{.low = group.decisions[members.front()].reference,
                     .high = group.decisions[members.back()].reference,
                     .decisions = static_cast<std::uint32_t>(members.size())};
  std::vector<stats::TaskTotal> tasks(group.tasks);
  double predicted = 0.0;
  bool all_predicted = true;
  for (const std::size_t i : members) {
    const PairedMargin& decision = group.decisions[i];
    bin.mean += decision.reference / static_cast<double>(members.size());
    tasks[decision.task].denominator += 1.0;
    if (decision.flipped()) {
      ++bin.flipped;
      tasks[decision.task].numerator += 1.0;
    }
    all_predicted = all_predicted && probability[i].has_value();
    predicted += probability[i].value_or(0.0);
  }
  if (all_predicted) bin.predicted = predicted / static_cast<double>(members.size());
  std::erase_if(tasks, [](const stats::TaskTotal& total) { return total.denominator == 0.0; });
  bin.observed = stats::rate(tasks, stats::IntervalKind::wilson).estimate.figure;
  return bin;
}

// 1, 2 or 5 times a power of ten, the least that is not below `width`.
double round_width(double width) {
  const double power = std::pow(10.0, std::floor(std::log10(width)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= width * (1.0 - 1e-9)) return factor * power;
  }
  return 10.0 * power;
}

void count(FlipMatrix& matrix, const PairedMargin& decision) {
  const bool good = decision.arm > 0.0;
  if (decision.reference > 0.0) {
    ++(good ? matrix.good_good : matrix.good_bad);
  } else {
    ++(good ? matrix.bad_good : matrix.bad_bad);
  }
}

}  // namespace

Calibration calibration(const PairedGroup& group,
                        std::span<const std::optional<double>> probability) {
  const std::size_t all = group.decisions.size();
  if (all < kFewestCalibrated) return {.bins = {}, .reason = "fewer than 20 decisions"};
  std::vector<std::size_t> order(all);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return group.decisions[i].reference; });
  Calibration found;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    const std::size_t from = bin * all / kBins;
    const std::size_t to = (bin + 1) * all / kBins;
    found.bins.push_back(bin_of(group, std::span(order).subspan(from, to - from), probability));
  }
  return found;
}

std::vector<HistogramBin> margin_histogram(const PairedGroup& group) {
  if (group.decisions.empty()) return {};
  std::vector<double> margins;
  margins.reserve(group.decisions.size());
  for (const PairedMargin& decision : group.decisions) margins.push_back(decision.reference);
  std::ranges::sort(margins);
  const double low = std::min(0.0, stats::sorted_quantile(margins, 0.01));
  const double high = std::max(0.0, stats::sorted_quantile(margins, 0.99));
  const double width = high > low ? round_width((high - low) / kHistogramBins) : 1.0;
  const double first = std::floor(low / width);
  const double bins = std::clamp(std::ceil(high / width) - first, 1.0, kMostBins);
  std::vector<HistogramBin> histogram(static_cast<std::size_t>(bins));
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    histogram[i].low = (first + static_cast<double>(i)) * width;
    histogram[i].high = (first + static_cast<double>(i) + 1.0) * width;
  }
  for (const PairedMargin& decision : group.decisions) {
    const double place = std::ceil(decision.reference / width) - 1.0 - first;
    count(histogram[static_cast<std::size_t>(std::clamp(place, 0.0, bins - 1.0))].outcomes,
          decision);
  }
  return histogram;
}

}  // namespace unmask::margins
