#pragma once

#include <functional>
#include <span>
#include <vector>

#include "unmask/screen/task_errors.h"
#include "unmask/stats/figure.h"

namespace unmask::screen {

/// value -+ t_{n-1} SE, SE by delete-a-task jackknife: `left_out[i]` is the figure without task i.
/// Null interval with one task or without spread.
[[nodiscard]] stats::Figure jackknife_figure(double value, std::span<const double> left_out);

/// Several figures of one pool, each with its jackknife interval; `figures_of` gives their values.
/// Tasks without trials are passed over.
[[nodiscard]] std::vector<stats::Figure> jackknife_figures(
    std::span<const TaskErrors> tasks, int last_budget,
    const std::function<std::vector<double>(const ErrorPool&)>& figures_of);

}  // namespace unmask::screen
