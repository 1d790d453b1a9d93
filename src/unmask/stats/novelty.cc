#include "unmask/stats/novelty.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "unmask/stats/figure.h"
#include "unmask/stats/moments.h"
#include "unmask/stats/name_counts.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/special.h"

namespace unmask::stats {
namespace {

// What V and G are made of, over names.
struct Counts {
  double errors_reference = 0.0;
  double errors_arm = 0.0;
  double novel = 0.0;   // errors of the arm with names the reference never produced
  double single = 0.0;  // errors of the reference with names in exactly one of its episodes

  void add(const TaskName& name, double sign) {
    errors_reference += sign * name.reference;
    errors_arm += sign * name.arm;
    if (name.reference == 0.0) novel += sign * name.arm;
    if (name.reference_episodes == 1) single += sign * name.reference;
  }
  [[nodiscard]] bool has_excess() const { return errors_reference > 0.0 && errors_arm > 0.0; }
  [[nodiscard]] double excess() const { return novel / errors_arm - single / errors_reference; }
};

// Chance that a random subsample of `size` out of `errors` errors holds none of `count` given ones.
double chance_of_absence(double errors, double count, double size) {
  if (errors - count < size) return 0.0;
  return std::exp(ln_choose(errors - count, size) - ln_choose(errors, size));
}

void add_rarefied(Novelty& result, const std::vector<TaskName>& totals) {
  const double size = std::min(result.errors_reference, result.errors_arm);
  if (size == 0.0) return;
  double distinct = 0.0;
  double novel = 0.0;
  for (const TaskName& name : totals) {
    if (name.arm == 0.0) continue;
    const double present = 1.0 - chance_of_absence(result.errors_arm, name.arm, size);
    distinct += present;
    if (name.reference == 0.0) novel += present;
  }
  result.rarefied_to = size;
  result.distinct_arm_rarefied = distinct;
  result.novel_distinct_rarefied = novel;
  result.novel_distinct_share_rarefied = novel / distinct;
}

// Delete-a-task: only the names of the task change.
std::optional<double> excess_se(const Counts& all, const std::vector<TaskName>& totals,
                                const std::vector<std::vector<TaskName>>& tasks) {
  std::vector<double> left_out;
  left_out.reserve(tasks.size());
  for (const std::vector<TaskName>& task : tasks) {
    Counts rest = all;
    for (const TaskName& name : task) {
      const TaskName& total = totals[name.name];
      rest.add(total, -1.0);
      rest.add({.name = name.name,
                .reference = total.reference - name.reference,
                .arm = total.arm - name.arm,
                .reference_episodes = total.reference_episodes - name.reference_episodes},
               1.0);
    }
    if (!rest.has_excess()) return std::nullopt;
    left_out.push_back(rest.excess());
  }
  return jackknife_se(left_out);
}

}  // namespace

Novelty novelty(const NameTable& table) {
  const std::vector<std::vector<TaskName>> tasks = names_by_task(table);
  std::vector<TaskName> totals(table.names);
  for (const std::vector<TaskName>& task : tasks) {
    for (const TaskName& name : task) {
      totals[name.name].reference += name.reference;
      totals[name.name].arm += name.arm;
      totals[name.name].reference_episodes += name.reference_episodes;
    }
  }
  Novelty result;
  Counts counts;
  std::size_t novel_distinct = 0;
  double once = 0.0;
  for (const TaskName& name : totals) {
    counts.add(name, 1.0);
    if (name.reference > 0.0) ++result.distinct_reference;
    if (name.arm > 0.0) ++result.distinct_arm;
    if (name.arm > 0.0 && name.reference == 0.0) ++novel_distinct;
    if (name.reference == 1.0) once += 1.0;
  }
  result.errors_reference = counts.errors_reference;
  result.errors_arm = counts.errors_arm;
  if (counts.errors_arm > 0.0) {
    result.novel_share = counts.novel / counts.errors_arm;
    result.novel_distinct_share =
        static_cast<double>(novel_distinct) / static_cast<double>(result.distinct_arm);
  }
  if (counts.errors_reference > 0.0) {
    result.good_turing_episode = counts.single / counts.errors_reference;
    result.good_turing_call = once / counts.errors_reference;
  }
  add_rarefied(result, totals);

  result.excess.tasks = table.tasks;
  if (!counts.has_excess()) {
    result.excess.figure = missing("an arm without errors");
  } else if (table.tasks < 2) {
    result.excess.figure = without_interval(counts.excess(), kOneTask);
  } else if (const std::optional<double> se = excess_se(counts, totals, tasks)) {
    result.excess = mean_estimate(counts.excess(), se, table.tasks);
  } else {
    result.excess.figure = without_interval(counts.excess(), "one task holds all errors of an arm");
  }
  return result;
}

}  // namespace unmask::stats
