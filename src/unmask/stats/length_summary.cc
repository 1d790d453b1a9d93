#include "unmask/stats/length_summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/stats/amplification.h"
#include "unmask/stats/bootstrap.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/resampling.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {
namespace {

using ByTask = std::span<const std::vector<double>>;

struct Entry {
  double value = 0.0;
  std::uint32_t task = 0;
};

// All values of an arm, sorted once; a resample only changes how often each counts.
class SortedEpisodes {
 public:
  explicit SortedEpisodes(ByTask by_task) {
    for (std::size_t task = 0; task < by_task.size(); ++task) {
      for (const double value : by_task[task]) {
        UNMASK_CHECK(std::isfinite(value));
        entries_.push_back({value, static_cast<std::uint32_t>(task)});
      }
    }
    std::ranges::stable_sort(entries_,
                             [](const Entry& a, const Entry& b) { return a.value < b.value; });
  }

  // Type 7 quantile of the resample in which task i counts draws[i] times.
  [[nodiscard]] std::optional<double> quantile(std::span<const std::uint32_t> draws,
                                               double q) const {
    std::uint64_t size = 0;
    for (const Entry& entry : entries_) size += draws[entry.task];
    if (size == 0) return std::nullopt;
    const double position = static_cast<double>(size - 1) * q;
    const auto below = static_cast<std::uint64_t>(position);
    const double fraction = position - static_cast<double>(below);
    std::uint64_t passed = 0;
    std::optional<double> lower;
    for (const Entry& entry : entries_) {
      passed += draws[entry.task];
      if (!lower.has_value() && passed > below) lower = entry.value;
      if (lower.has_value() && (fraction == 0.0 || passed > below + 1)) {
        return *lower + fraction * (entry.value - *lower);
      }
    }
    return lower;
  }

 private:
  std::vector<Entry> entries_;
};

TaskTotal total_of(std::span<const double> values) {
  TaskTotal total{.denominator = static_cast<double>(values.size())};
  for (const double value : values) total.numerator += value;
  return total;
}

// Each quantile of each figure gets numbers of its own.
Resampling stream(const Resampling& random, std::uint64_t part) {
  return {.seed = random.seed, .index = random.index * 4 + part, .replicates = random.replicates};
}

}  // namespace

LengthSummary length_summary(ByTask episodes_by_task, const Resampling& random) {
  LengthSummary summary;
  std::vector<TaskTotal> totals;
  totals.reserve(episodes_by_task.size());
  for (const std::vector<double>& values : episodes_by_task) {
    totals.push_back(total_of(values));
    summary.episodes += values.size();
  }
  summary.mean = rate(totals, IntervalKind::plain_t).estimate;
  const SortedEpisodes sorted(episodes_by_task);
  const auto bootstrap = [&](double q, std::uint64_t part) {
    return bootstrap_over_tasks(
        episodes_by_task.size(),
        [&](std::span<const std::uint32_t> draws) { return sorted.quantile(draws, q); },
        stream(random, part));
  };
  summary.median = bootstrap(0.5, 0);
  summary.p90 = bootstrap(0.9, 1);
  return summary;
}

LengthComparison length_comparison(ByTask reference_by_task, ByTask arm_by_task,
                                   const Resampling& random) {
  UNMASK_CHECK(reference_by_task.size() == arm_by_task.size());
  const std::size_t tasks = arm_by_task.size();
  std::vector<TaskPair> pairs;
  pairs.reserve(tasks);
  for (std::size_t i = 0; i < tasks; ++i) {
    pairs.push_back({.reference = total_of(reference_by_task[i]), .arm = total_of(arm_by_task[i])});
  }
  LengthComparison comparison;
  comparison.mean_difference = rate_difference(pairs);
  comparison.mean_ratio = amplification(pairs).ratio;

  const SortedEpisodes reference(reference_by_task);
  const SortedEpisodes arm(arm_by_task);
  const auto difference = [&](double q, std::uint64_t part) {
    return bootstrap_over_tasks(
        tasks,
        [&](std::span<const std::uint32_t> draws) -> std::optional<double> {
          const std::optional<double> low = reference.quantile(draws, q);
          const std::optional<double> high = arm.quantile(draws, q);
          if (!low.has_value() || !high.has_value()) return std::nullopt;
          return *high - *low;
        },
        stream(random, part));
  };
  const auto ratio = [&](double q, std::uint64_t part) {
    return bootstrap_over_tasks(
        tasks,
        [&](std::span<const std::uint32_t> draws) -> std::optional<double> {
          const std::optional<double> low = reference.quantile(draws, q);
          const std::optional<double> high = arm.quantile(draws, q);
          if (!low.has_value() || !high.has_value() || *low == 0.0) return std::nullopt;
          return *high / *low;
        },
        stream(random, part));
  };
  // Difference and ratio of one quantile come from the same resamples.
  comparison.median_difference = difference(0.5, 2);
  comparison.median_ratio = ratio(0.5, 2);
  comparison.p90_difference = difference(0.9, 3);
  comparison.p90_ratio = ratio(0.9, 3);
  return comparison;
}

}  // namespace unmask::stats
