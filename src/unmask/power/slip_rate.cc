#include "unmask/power/slip_rate.h"

#include <algorithm>
#include <cstddef>

#include "unmask/base/check.h"

namespace unmask::power {
namespace {

constexpr double kSmallestSlip = 1e-7;
constexpr double kLargestSlip = 100.0;  // an error before practically every call
constexpr double kRelativeAccuracy = 1e-9;

// Bisection in [low, high], where low is known to fall short and high to reach.
double bisect(double low, double high, const std::function<bool(double)>& reaches) {
  while (high - low > kRelativeAccuracy * high) {
    const double middle = low + (high - low) / 2.0;
    (reaches(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

std::optional<double> slip_rate_for(const synthetic::CellProcess& process,
                                    const synthetic::ArmProcess& arm, double target,
                                    const std::function<double(const ProcessMoments&)>& figure) {
  synthetic::ArmProcess trial = arm;
  const auto reaches = [&](double slip) {
    trial.slip_rate = slip;
    return figure(process_moments(process, trial)) >= target;
  };
  if (reaches(0.0)) return 0.0;
  double high = kSmallestSlip;
  while (!reaches(high)) {
    high *= 2.0;
    if (high > kLargestSlip) return std::nullopt;
  }
  return bisect(high == kSmallestSlip ? 0.0 : high / 2.0, high, reaches);
}

std::optional<double> slip_rate_for_call_rate(const synthetic::CellProcess& process,
                                              const synthetic::ArmProcess& arm,
                                              double errors_per_call) {
  UNMASK_CHECK(errors_per_call >= 0.0 && errors_per_call < 1.0);
  return slip_rate_for(process, arm, errors_per_call,
                       [](const ProcessMoments& moments) { return moments.errors_per_call(); });
}

std::optional<double> slip_rate_for_amplification(const synthetic::CellProcess& process,
                                                  const synthetic::ArmProcess& reference,
                                                  double ratio) {
  UNMASK_CHECK(ratio >= 0.0);
  if (ratio == 1.0) return reference.slip_rate;
  const double target = ratio * process_moments(process, reference).errors_per_episode;
  return slip_rate_for(process, reference, target,
                       [](const ProcessMoments& moments) { return moments.errors_per_episode; });
}

std::optional<double> slip_rate_for_widening(const synthetic::CellProcess& process,
                                             const synthetic::ArmProcess& reference, int budget,
                                             double widening) {
  UNMASK_CHECK(budget >= 1 && budget < process.max_errors && widening >= 0.0);
  // Solved at the large budget but not at the small one: what widens.
  const auto lost = [budget](const ProcessMoments& moments) {
    return moments.score.back() - moments.score[static_cast<std::size_t>(budget - 1)];
  };
  if (widening == 0.0) return reference.slip_rate;
  const double target = lost(process_moments(process, reference)) + widening;
  synthetic::ArmProcess trial = reference;
  double before = reference.slip_rate;
  // Up the rising side in small steps, so that its top is not jumped over.
  constexpr double kStep = 1.1;
  double highest = lost(process_moments(process, reference));
  for (double slip = std::max(before, kSmallestSlip) * kStep; slip < kLargestSlip; slip *= kStep) {
    trial.slip_rate = slip;
    const double now = lost(process_moments(process, trial));
    if (now >= target) {
      return bisect(before, slip, [&](double middle) {
        trial.slip_rate = middle;
        return lost(process_moments(process, trial)) >= target;
      });
    }
    if (now < highest) return std::nullopt;
    highest = now;
    before = slip;
  }
  return std::nullopt;
}

}  // namespace unmask::power
