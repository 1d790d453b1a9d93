#include "unmask/stats/failure_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/rng.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/name_counts.h"
#include "unmask/stats/novelty.h"
#include "unmask/stats/quantile.h"
#include "unmask/stats/rank_correlation.h"
#include "unmask/stats/resampling.h"
#include "unmask/stats/shape.h"

namespace unmask::stats {
namespace {

constexpr double kLargestDroppedShare = 0.05;

struct EpisodeNames {
  std::vector<std::pair<std::uint32_t, double>> names;
};

// The trials of a task in both arms together; those without errors are only counted.
struct TaskTrials {
  std::vector<EpisodeNames> with_errors;
  std::size_t trials = 0;
  std::size_t arm_trials = 0;
};

void add_episodes(std::vector<TaskTrials>& tasks, std::span<const NameRow> rows) {
  std::vector<NameRow> sorted(rows.begin(), rows.end());
  std::ranges::stable_sort(sorted, [](const NameRow& a, const NameRow& b) {
    return a.task != b.task ? a.task < b.task : a.episode < b.episode;
  });
  const NameRow* previous = nullptr;
  for (const NameRow& row : sorted) {
    std::vector<EpisodeNames>& episodes = tasks[row.task].with_errors;
    if (previous == nullptr || previous->task != row.task || previous->episode != row.episode) {
      episodes.emplace_back();
    }
    episodes.back().names.emplace_back(row.name, static_cast<double>(row.count));
    previous = &row;
  }
}

std::vector<TaskTrials> trials_of(const NameTable& table) {
  UNMASK_CHECK(table.reference_trials.size() == table.tasks &&
               table.arm_trials.size() == table.tasks);
  std::vector<TaskTrials> tasks(table.tasks);
  for (std::size_t task = 0; task < table.tasks; ++task) {
    tasks[task].arm_trials = table.arm_trials[task];
    tasks[task].trials = std::size_t{table.arm_trials[task]} + table.reference_trials[task];
  }
  add_episodes(tasks, table.reference);
  add_episodes(tasks, table.arm);
  for (const TaskTrials& task : tasks) UNMASK_CHECK(task.with_errors.size() <= task.trials);
  return tasks;
}

// Names that either arm produced; both vectors keep only these.
struct Union {
  std::vector<std::size_t> names;

  [[nodiscard]] std::vector<double> of(std::span<const double> totals) const {
    std::vector<double> values;
    values.reserve(names.size());
    for (const std::size_t name : names) values.push_back(totals[name]);
    return values;
  }
};

Union union_of(std::span<const double> reference, std::span<const double> arm) {
  Union both;
  for (std::size_t name = 0; name < arm.size(); ++name) {
    if (reference[name] > 0.0 || arm[name] > 0.0) both.names.push_back(name);
  }
  return both;
}

std::size_t tasks_with_errors(std::span<const NameRow> rows, std::size_t tasks) {
  const std::vector<double> totals = totals_by_task(rows, tasks);
  return tasks - static_cast<std::size_t>(std::count(totals.begin(), totals.end(), 0.0));
}

std::string too_few(const char* arm, double errors, std::size_t tasks) {
  return std::string("too few errors: ") + arm + " has " +
         std::to_string(static_cast<std::int64_t>(errors)) + " in " + std::to_string(tasks) +
         " tasks; 30 in 10 are needed";
}

FailureSetOutcome outcome_of(const Estimate& excess, double invariant_excess) {
  // Without spread the bounds are the value itself.
  if (!excess.figure.value.has_value() || !excess.se.has_value()) {
    return FailureSetOutcome::undecided;
  }
  const double value = *excess.figure.value;
  if (excess.figure.low.value_or(value) > 0.0) return FailureSetOutcome::new_failures;
  if (excess.upper_bound.value_or(value) < invariant_excess) {
    return FailureSetOutcome::invariant_failure_set;
  }
  return FailureSetOutcome::undecided;
}

}  // namespace

std::string_view name_of(FailureSetOutcome outcome) {
  switch (outcome) {
    case FailureSetOutcome::too_few_errors:
      return "too_few_errors";
    case FailureSetOutcome::new_failures:
      return "new_failures";
    case FailureSetOutcome::invariant_failure_set:
      return "invariant_failure_set";
    case FailureSetOutcome::undecided:
      return "undecided";
  }
  return "undecided";
}

NoiseCeiling noise_ceiling(const NameTable& table, const Resampling& random) {
  UNMASK_CHECK(random.replicates >= 1);
  const std::vector<TaskTrials> tasks = trials_of(table);
  std::vector<double> totals = totals_by_name(table.reference, table.names);
  const std::vector<double> of_arm = totals_by_name(table.arm, table.names);
  for (std::size_t name = 0; name < table.names; ++name) totals[name] += of_arm[name];
  const Union both = union_of(totals, totals);
  const std::vector<double> pooled = both.of(totals);

  NoiseCeiling ceiling;
  Rng rng(random.seed, "label_swap", random.index);
  std::vector<double> coefficients;
  std::vector<double> arm(table.names);
  std::vector<double> rest(both.names.size());
  std::vector<std::size_t> dealt;
  for (std::size_t replicate = 0; replicate < random.replicates; ++replicate) {
    std::ranges::fill(arm, 0.0);
    for (const TaskTrials& task : tasks) {
      if (task.with_errors.empty()) continue;
      // The first arm_trials places of a partial shuffle are the arm's new trials.
      dealt.resize(task.trials);
      for (std::size_t i = 0; i < task.trials; ++i) dealt[i] = i;
      for (std::size_t i = 0; i < task.arm_trials; ++i) {
        std::swap(dealt[i], dealt[i + rng.below(static_cast<std::uint32_t>(task.trials - i))]);
        if (dealt[i] >= task.with_errors.size()) continue;
        for (const auto& [name, count] : task.with_errors[dealt[i]].names) arm[name] += count;
      }
    }
    const std::vector<double> swapped = both.of(arm);
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = pooled[i] - swapped[i];
    if (const std::optional<double> rho = spearman(rest, swapped)) {
      coefficients.push_back(*rho);
    } else {
      ++ceiling.dropped;
    }
  }
  if (static_cast<double>(ceiling.dropped) >
      kLargestDroppedShare * static_cast<double>(random.replicates)) {
    return ceiling;
  }
  std::ranges::sort(coefficients);
  ceiling.median = sorted_quantile(coefficients, 0.5);
  ceiling.low = sorted_quantile(coefficients, 0.05);
  return ceiling;
}

FailureSet failure_set(const NameTable& table, const FailureSetOptions& options) {
  FailureSet result;
  const std::vector<double> reference = totals_by_name(table.reference, table.names);
  const std::vector<double> arm = totals_by_name(table.arm, table.names);
  result.tasks_reference = tasks_with_errors(table.reference, table.tasks);
  result.tasks_arm = tasks_with_errors(table.arm, table.tasks);
  Novelty all = novelty(table);
  const auto few = [](double errors, std::size_t tasks) {
    return errors < kFailureSetErrors || tasks < kFailureSetTasks;
  };
  const bool few_reference = few(all.errors_reference, result.tasks_reference);
  if (few_reference || few(all.errors_arm, result.tasks_arm)) {
    result.reason = few_reference
                        ? too_few("the reference", all.errors_reference, result.tasks_reference)
                        : too_few("the arm", all.errors_arm, result.tasks_arm);
    result.novelty = {.errors_reference = all.errors_reference,
                      .errors_arm = all.errors_arm,
                      .distinct_reference = all.distinct_reference,
                      .distinct_arm = all.distinct_arm,
                      .excess = {.figure = missing(result.reason), .tasks = table.tasks}};
    return result;
  }
  const Union both = union_of(reference, arm);
  result.rank = rank_correlation(both.of(reference), both.of(arm));
  if (result.rank.spearman.has_value()) {
    result.ceiling = noise_ceiling(
        table, {.seed = options.seed, .index = options.index, .replicates = options.swaps});
  }
  result.novelty = std::move(all);
  result.pooled = shape_distance(reference, arm);
  result.shape = shape_test(
      table, {.seed = options.seed, .index = options.index, .replicates = options.flips});
  result.outcome = outcome_of(result.novelty.excess, options.invariant_excess);
  return result;
}

}  // namespace unmask::stats
