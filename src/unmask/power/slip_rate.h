#pragma once

#include <functional>
#include <optional>

#include "unmask/power/process_moments.h"
#include "unmask/synthetic/process.h"

namespace unmask::power {

/// The slip rate at which `figure` of the arm's moments reaches `target`, by bisection on the
/// analytic moments (relative accuracy 1e-9, deterministic). `figure` must not fall as the slip
/// rate grows. Empty if no slip rate reaches it: the budget ends episodes before they can hold so
/// many errors.
[[nodiscard]] std::optional<double> slip_rate_for(
    const synthetic::CellProcess& process, const synthetic::ArmProcess& arm, double target,
    const std::function<double(const ProcessMoments&)>& figure);

/// For a share of the agent's calls that fail; 0 <= errors_per_call < 1.
[[nodiscard]] std::optional<double> slip_rate_for_call_rate(const synthetic::CellProcess& process,
                                                            const synthetic::ArmProcess& arm,
                                                            double errors_per_call);

/// For errors an episode `ratio` times those of `reference`.
[[nodiscard]] std::optional<double> slip_rate_for_amplification(
    const synthetic::CellProcess& process, const synthetic::ArmProcess& reference, double ratio);

/// The largest ratio that slip_rate_for_amplification can reach.
[[nodiscard]] double largest_amplification(const synthetic::CellProcess& process,
                                           const synthetic::ArmProcess& reference);

/// For a widening W(budget) = D(budget) - D(max_errors) of `widening` >= 0, a fraction, against
/// `reference`. The widening rises with the slip rate and falls again once the large budget bites
/// too; the smaller of the two slip rates is returned.
[[nodiscard]] std::optional<double> slip_rate_for_widening(const synthetic::CellProcess& process,
                                                           const synthetic::ArmProcess& reference,
                                                           int budget, double widening);

/// The largest widening that slip_rate_for_widening can reach, to about 1 %.
[[nodiscard]] double largest_widening(const synthetic::CellProcess& process,
                                      const synthetic::ArmProcess& reference, int budget);

}  // namespace unmask::power
