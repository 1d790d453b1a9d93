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

// W(budget) against the reference as a function of the arm's slip rate.
class Widening {
 public:
  Widening(const synthetic::CellProcess& process, const synthetic::ArmProcess& reference,
           int budget)
      : process_(process), arm_(reference), budget_(budget) {
    UNMASK_CHECK(budget >= 1 && budget < process.max_errors);
    of_reference_ = lost(arm_);
  }

  double operator()(double slip_rate) const {
    synthetic::ArmProcess arm = arm_;
    arm.slip_rate = slip_rate;
    return lost(arm) - of_reference_;
  }

 private:
  // Solved at the large budget but not at the small one.
  [[nodiscard]] double lost(const synthetic::ArmProcess& arm) const {
    const std::vector<double> score = process_moments(process_, arm).score;
    return score.back() - score[static_cast<std::size_t>(budget_ - 1)];
  }

  const synthetic::CellProcess& process_;
  synthetic::ArmProcess arm_;
  int budget_;
  double of_reference_ = 0.0;
};

// How far the rising side was climbed: `before` falls short of the target, `slip` reaches it or is
// the top, up to a step of the climb.
struct Climb {
  double before = 0.0;
  double slip = 0.0;
  double highest = 0.0;
};

Climb climb_to(const Widening& widening, double from, double target) {
  constexpr double kStep = 1.1;
  Climb climb{.before = from, .slip = from};
  for (double slip = std::max(from, kSmallestSlip) * kStep; slip < kLargestSlip; slip *= kStep) {
    const double now = widening(slip);
    if (now < climb.highest) break;
    climb = {.before = climb.slip, .slip = slip, .highest = now};
    if (now >= target) break;
  }
  return climb;
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

double largest_amplification(const synthetic::CellProcess& process,
                             const synthetic::ArmProcess& reference) {
  synthetic::ArmProcess arm = reference;
  arm.slip_rate = kLargestSlip;
  return process_moments(process, arm).errors_per_episode /
         process_moments(process, reference).errors_per_episode;
}

std::optional<double> slip_rate_for_widening(const synthetic::CellProcess& process,
                                             const synthetic::ArmProcess& reference, int budget,
                                             double widening) {
  UNMASK_CHECK(widening >= 0.0);
  if (widening == 0.0) return reference.slip_rate;
  const Widening of_slip(process, reference, budget);
  const Climb climb = climb_to(of_slip, reference.slip_rate, widening);
  if (climb.highest < widening) return std::nullopt;
  return bisect(climb.before, climb.slip,
                [&](double middle) { return of_slip(middle) >= widening; });
}

double largest_widening(const synthetic::CellProcess& process,
                        const synthetic::ArmProcess& reference, int budget) {
  return climb_to(Widening(process, reference, budget), reference.slip_rate, 1.0).highest;
}

}  // namespace unmask::power
