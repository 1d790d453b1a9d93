#include "unmask/stats/length_summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/stats/amplification.h"
#include "unmask/stats/bootstrap.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/resampling.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {
namespace {

using ByTask = std::span<const std::vector<double>>;

// `count` equal values of one task.
struct Entry {
  double value = 0.0;
  std::uint32_t task = 0;
  std::uint32_t count = 1;
};

using Draws = std::span<const std::uint32_t>;

// Sum of draws[i] * counts[i].
std::uint64_t weighted(Draws draws, const std::vector<std::uint32_t>& counts) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < draws.size(); ++i) sum += std::uint64_t{draws[i]} * counts[i];
  return sum;
}

// All values of an arm, sorted once; a resample only changes how often each counts.
class SortedEpisodes {
 public:
  explicit SortedEpisodes(ByTask by_task) : of_task_(by_task.size()) {
    std::vector<Entry> each;
    for (std::size_t task = 0; task < by_task.size(); ++task) {
      of_task_[task] = static_cast<std::uint32_t>(by_task[task].size());
      for (const double value : by_task[task]) {
        UNMASK_CHECK(std::isfinite(value));
        each.push_back({value, static_cast<std::uint32_t>(task)});
      }
    }
    std::ranges::stable_sort(each,
                             [](const Entry& a, const Entry& b) { return a.value < b.value; });
    for (const Entry& entry : each) {
      if (!entries_.empty() && entries_.back().value == entry.value &&
          entries_.back().task == entry.task) {
        ++entries_.back().count;
      } else {
        entries_.push_back(entry);
      }
    }
  }

  // A quantile of resamples. Most resamples have it near the place where the sample has it, so the
  // search begins there: what lies before is summed by task, not by episode.
  class Quantile {
   public:
    Quantile(const SortedEpisodes& sorted, double q)
        : sorted_(sorted), q_(q), before_(sorted.of_task_.size()) {
      std::uint64_t size = 0;
      for (const std::uint32_t count : sorted.of_task_) size += count;
      const double position = size == 0 ? 0.0 : static_cast<double>(size - 1) * q;
      std::uint64_t passed = 0;
      for (const Entry& entry : sorted.entries_) {
        if (passed + entry.count > static_cast<std::uint64_t>(position)) break;
        passed += entry.count;
        before_[entry.task] += entry.count;
        ++start_;
      }
    }

    // Type 7 quantile of the resample in which task i counts draws[i] times.
    [[nodiscard]] std::optional<double> of(Draws draws) const {
      const std::uint64_t size = weighted(draws, sorted_.of_task_);
      if (size == 0) return std::nullopt;
      const double position = static_cast<double>(size - 1) * q_;
      const auto below = static_cast<std::uint64_t>(position);
      const double fraction = position - static_cast<double>(below);
      const std::vector<Entry>& entries = sorted_.entries_;
      const auto times = [&](std::size_t at) {
        return std::uint64_t{draws[entries[at].task]} * entries[at].count;
      };
      // `passed` counts the values before entry `at`; the lower neighbour is the first entry that
      // takes it beyond `below`.
      std::size_t at = start_;
      std::uint64_t passed = weighted(draws, before_);
      while (passed > below) passed -= times(--at);
      while (passed + times(at) <= below) passed += times(at++);
      const double lower = entries[at].value;
      passed += times(at);
      while (fraction != 0.0 && passed <= below + 1) {
        if (++at == entries.size()) return lower;
        passed += times(at);
      }
      return lower + fraction * (entries[at].value - lower);
    }

   private:
    const SortedEpisodes& sorted_;
    double q_;
    std::size_t start_ = 0;
    std::vector<std::uint32_t> before_;  // of each task, values before entry `start_`
  };

 private:
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> of_task_;  // number of values
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
    const SortedEpisodes::Quantile quantile(sorted, q);
    return bootstrap_over_tasks(
        episodes_by_task.size(), [&](Draws draws) { return quantile.of(draws); },
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
  // Difference and ratio of one quantile come from the same resamples.
  const auto compare = [&](double q, std::uint64_t part) {
    const SortedEpisodes::Quantile of_reference(reference, q);
    const SortedEpisodes::Quantile of_arm(arm, q);
    return bootstrap_pair_over_tasks(
        tasks,
        [&](Draws draws) -> std::array<std::optional<double>, 2> {
          const std::optional<double> low = of_reference.of(draws);
          const std::optional<double> high = of_arm.of(draws);
          if (!low.has_value() || !high.has_value()) return {};
          if (*low == 0.0) return {*high - *low, std::nullopt};
          return {*high - *low, *high / *low};
        },
        stream(random, part));
  };
  BootstrapPair median = compare(0.5, 2);
  comparison.median_difference = std::move(median[0]);
  comparison.median_ratio = std::move(median[1]);
  BootstrapPair p90 = compare(0.9, 3);
  comparison.p90_difference = std::move(p90[0]);
  comparison.p90_ratio = std::move(p90[1]);
  return comparison;
}

}  // namespace unmask::stats
