#include "unmask/stats/name_counts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "unmask/base/check.h"

namespace unmask::stats {
namespace {

void check(const NameRow& row, std::size_t tasks, std::size_t names) {
  UNMASK_CHECK(row.task < tasks && row.name < names && row.count >= 1);
}

std::vector<NameRow> by_task_name_episode(std::span<const NameRow> rows) {
  std::vector<NameRow> sorted(rows.begin(), rows.end());
  std::ranges::sort(sorted, [](const NameRow& a, const NameRow& b) {
    return std::tie(a.task, a.name, a.episode) < std::tie(b.task, b.name, b.episode);
  });
  return sorted;
}

}  // namespace

std::vector<double> totals_by_name(std::span<const NameRow> rows, std::size_t names) {
  std::vector<double> totals(names, 0.0);
  for (const NameRow& row : rows) {
    UNMASK_CHECK(row.name < names && row.count >= 1);
    totals[row.name] += static_cast<double>(row.count);
  }
  return totals;
}

std::vector<double> totals_by_task(std::span<const NameRow> rows, std::size_t tasks) {
  std::vector<double> totals(tasks, 0.0);
  for (const NameRow& row : rows) {
    UNMASK_CHECK(row.task < tasks && row.count >= 1);
    totals[row.task] += static_cast<double>(row.count);
  }
  return totals;
}

std::vector<std::vector<TaskName>> names_by_task(const NameTable& table) {
  std::vector<std::vector<TaskName>> tasks(table.tasks);
  const NameRow* previous = nullptr;
  const std::vector<NameRow> reference = by_task_name_episode(table.reference);
  for (const NameRow& row : reference) {
    check(row, table.tasks, table.names);
    std::vector<TaskName>& names = tasks[row.task];
    const bool same_name =
        previous != nullptr && previous->task == row.task && previous->name == row.name;
    if (!same_name) names.push_back({.name = row.name});
    names.back().reference += static_cast<double>(row.count);
    if (!same_name || previous->episode != row.episode) ++names.back().reference_episodes;
    previous = &row;
  }
  const std::vector<NameRow> arm = by_task_name_episode(table.arm);
  std::vector<TaskName> of_reference;
  for (auto row = arm.begin(); row != arm.end();) {
    // Both are sorted by name: one pass through a task's names merges them.
    const std::uint32_t task = row->task;
    check(*row, table.tasks, table.names);
    std::vector<TaskName>& names = tasks[task];
    of_reference.swap(names);
    names.clear();
    auto known = of_reference.begin();
    for (; row != arm.end() && row->task == task; ++row) {
      check(*row, table.tasks, table.names);
      while (known != of_reference.end() && known->name <= row->name) names.push_back(*known++);
      if (names.empty() || names.back().name != row->name) names.push_back({.name = row->name});
      names.back().arm += static_cast<double>(row->count);
    }
    names.insert(names.end(), known, of_reference.end());
  }
  return tasks;
}

}  // namespace unmask::stats
