#include "unmask/margins/side_test.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "unmask/margins/findings.h"
#include "unmask/margins/task_jackknife.h"
#include "unmask/stats/auc.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/rank_correlation.h"

namespace unmask::margins {
namespace {

using Measure = double SideTestRow::*;

std::optional<double> auc_of(const std::vector<SideTestRow>& rows, Measure measure,
                             std::optional<std::size_t> left_out) {
  std::vector<double> flipped;
  std::vector<double> kept;
  for (const SideTestRow& row : rows) {
    if (row.task != left_out) (row.flipped ? flipped : kept).push_back(row.*measure);
  }
  return stats::auc(flipped, kept);
}

std::optional<double> rank_of(const std::vector<SideTestRow>& rows, Measure measure,
                              std::optional<std::size_t> left_out) {
  std::vector<double> values;
  std::vector<double> rises;
  for (const SideTestRow& row : rows) {
    if (row.task == left_out || !row.mass_rise) continue;
    values.push_back(row.*measure);
    rises.push_back(*row.mass_rise);
  }
  return stats::spearman(values, rises);
}

template <typename Statistic>
Figure figure_of(std::size_t tasks, Range range, const char* none, const Statistic& statistic) {
  const std::optional<double> value = statistic(std::nullopt);
  if (!value) return stats::missing(none);
  std::vector<std::optional<double>> left_out;
  left_out.reserve(tasks);
  for (std::size_t task = 0; task < tasks; ++task) left_out.push_back(statistic(task));
  return with_jackknife(*value, left_out, range);
}

}  // namespace

SideTest side_test(const std::vector<SideTestRow>& rows, std::size_t tasks) {
  SideTest test{.decisions = static_cast<std::uint32_t>(rows.size())};
  for (const SideTestRow& row : rows) {
    if (row.flipped) ++test.flipped;
    if (row.mass_rise) ++test.with_mass;
  }
  const char* none =
      rows.empty() ? "no decision has margins and divergence" : "no decision flipped, or all did";
  const auto auc = [&](Measure measure) {
    return [&rows, measure](std::optional<std::size_t> left_out) {
      return auc_of(rows, measure, left_out);
    };
  };
  const auto thinness = auc(&SideTestRow::thinness);
  const auto divergence = auc(&SideTestRow::divergence);
  test.auc_thinness = figure_of(tasks, Range::unit, none, thinness);
  test.auc_divergence = figure_of(tasks, Range::unit, none, divergence);
  test.auc_difference =
      figure_of(tasks, Range::any, none, [&](std::optional<std::size_t> left_out) {
        const std::optional<double> one = thinness(left_out);
        const std::optional<double> other = divergence(left_out);
        return one && other ? std::optional(*one - *other) : std::nullopt;
      });
  constexpr const char* kFlat = "fewer than four decisions with mass, or all alike";
  const auto rank = [&](Measure measure) {
    return figure_of(tasks, Range::rank, kFlat, [&](std::optional<std::size_t> left_out) {
      return rank_of(rows, measure, left_out);
    });
  };
  test.rank_thinness = rank(&SideTestRow::thinness);
  test.rank_divergence = rank(&SideTestRow::divergence);
  return test;
}

}  // namespace unmask::margins
