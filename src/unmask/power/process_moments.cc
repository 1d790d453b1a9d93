#include "unmask/power/process_moments.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "unmask/base/check.h"
#include "unmask/power/gamma_grid.h"

namespace unmask::power {
namespace {

constexpr double kNegligible = 1e-11;  // of a distribution's mass, of a slip probability

// P(X = 0), P(X = 1), ... of a Poisson variable until the rest is negligible.
std::vector<double> poisson_shares(double mean) {
  std::vector<double> shares = {std::exp(-mean)};
  double left = 1.0 - shares[0];
  while (left > kNegligible && shares.size() < 2000) {
    shares.push_back(shares.back() * mean / static_cast<double>(shares.size()));
    left -= shares.back();
    if (static_cast<double>(shares.size()) > mean && shares.back() < kNegligible) break;
  }
  return shares;
}

// What episodes of one kind (z, and one value of slip rate * e * g) give on average.
struct Played {
  double errors = 0.0;            // the agent's
  double productive = 0.0;        // the agent's successful calls
  std::vector<double> ends_with;  // [j] = P(the episode ends by itself with j counted errors)

  explicit Played(std::size_t budget) : ends_with(budget) {}
  void add(const Played& other, double weight) {
    errors += weight * other.errors;
    productive += weight * other.productive;
    for (std::size_t j = 0; j < ends_with.size(); ++j) ends_with[j] += weight * other.ends_with[j];
  }
  [[nodiscard]] double below(std::size_t budget) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < budget; ++j) sum += ends_with[j];
    return sum;
  }
};

class Recursion {
 public:
  Recursion(const synthetic::CellProcess& process, double extra_calls)
      : budget_(static_cast<std::size_t>(process.max_errors)),
        recovery_(process.recovery),
        extra_calls_(poisson_shares(extra_calls)),
        user_errors_(poisson_shares(process.user_calls * process.user_failure)) {}

  // `level` = slip rate * e * g.
  [[nodiscard]] Played play(double level) const {
    const double slip = -std::expm1(-level);
    // Runs of failed calls before a productive one: [n] = P(n errors), and mean errors before the
    // budget ends the run.
    std::vector<double> run(budget_);
    std::vector<double> cut_mean(budget_ + 1);  // [b] = E min(run, b)
    double reaches = slip;                      // P(run >= n)
    for (std::size_t n = 1; n <= budget_; ++n) {
      cut_mean[n] = cut_mean[n - 1] + reaches;
      if (n < budget_) run[n] = reaches * recovery_;
      reaches *= 1.0 - recovery_;
    }
    run[0] = 1.0 - slip;

    Played played(budget_);
    std::vector<double> alive(budget_), after_run(budget_);
    alive[0] = 1.0;
    double at_least = 1.0;  // P(the episode has this productive call)
    for (const double last : extra_calls_) {
      std::fill(after_run.begin(), after_run.end(), 0.0);
      for (std::size_t j = 0; j < budget_; ++j) {
        played.errors += at_least * alive[j] * cut_mean[budget_ - j];
        for (std::size_t n = 0; j + n < budget_; ++n) after_run[j + n] += alive[j] * run[n];
      }
      std::fill(alive.begin(), alive.end(), 0.0);
      for (std::size_t j = 0; j < budget_; ++j) {
        played.productive += at_least * after_run[j];
        for (std::size_t n = 0; j + n < budget_ && n < user_errors_.size(); ++n) {
          alive[j + n] += after_run[j] * user_errors_[n];
        }
      }
      for (std::size_t j = 0; j < budget_; ++j) played.ends_with[j] += last * alive[j];
      at_least -= last;
    }
    return played;
  }

  // Over the factor on `grid`, times `scale`.
  [[nodiscard]] Played average(const LogGrid& grid, double scale) const {
    if (scale <= 0.0) return play(0.0);
    Played sum(budget_);
    double without_slips = 0.0;
    for (std::size_t i = 0; i < grid.weights.size(); ++i) {
      const double level = scale * grid.factor(i);
      if (level < kNegligible) {
        without_slips += grid.weights[i];
      } else if (grid.weights[i] >= kNegligible) {
        sum.add(play(level), grid.weights[i]);
      }
    }
    if (without_slips > 0.0) sum.add(play(0.0), without_slips);
    return sum;
  }

 private:
  std::size_t budget_;
  double recovery_;
  std::vector<double> extra_calls_;
  std::vector<double> user_errors_;
};

// E min(max(p + shift, 0), 1), p ~ Beta(a, b), by equidistant nodes in the logit of p.
double shifted_mean(const synthetic::CellProcess& process, double shift) {
  const double mean = process.solve_mean;
  if (shift == 0.0) return mean;
  if (process.solve_icc <= 0.0) return std::clamp(mean + shift, 0.0, 1.0);
  const double concentration = (1.0 - process.solve_icc) / process.solve_icc;
  const double a = mean * concentration;
  const double b = (1.0 - mean) * concentration;
  const auto log_weight = [&](double t) {  // of p = 1 / (1 + exp(-t))
    return -a * std::log1p(std::exp(-t)) - b * std::log1p(std::exp(t));
  };
  const double peak = log_weight(std::log(a / b));
  const double reach = 45.0 / std::min({a, b, 1.0});
  // The kinks at p = -shift and 1 - shift cost accuracy, so the step is small.
  const double step = std::min(0.002, 0.02 / std::sqrt(a + b));
  double sum = 0.0;
  double total = 0.0;
  for (double t = -reach; t <= reach; t += step) {
    const double weight = std::exp(log_weight(t) - peak);
    sum += weight * std::clamp(1.0 / (1.0 + std::exp(-t)) + shift, 0.0, 1.0);
    total += weight;
  }
  return sum / total;
}

}  // namespace

ProcessMoments process_moments(const synthetic::CellProcess& process,
                               const synthetic::ArmProcess& arm) {
  UNMASK_CHECK(process.max_errors >= 1 && arm.slip_rate >= 0.0);
  const double step = grid_step(process.trap_shape, process.episode_shape);
  const LogGrid episode = gamma_grid(process.episode_shape, step);
  const LogGrid both = product(episode, gamma_grid(process.trap_shape, step));
  const Played solvable =
      Recursion(process, process.solved_extra_calls).average(both, arm.slip_rate);
  const Played unsolvable = Recursion(process, process.unsolved_extra_calls)
                                .average(episode, arm.slip_rate * process.unsolved_trap);

  ProcessMoments moments;
  moments.solvable = shifted_mean(process, arm.solve_shift);
  const auto mix = [&](double of_solvable, double of_unsolvable) {
    return moments.solvable * of_solvable + (1.0 - moments.solvable) * of_unsolvable;
  };
  moments.errors_per_episode = mix(solvable.errors, unsolvable.errors);
  moments.calls_per_episode =
      moments.errors_per_episode + mix(solvable.productive, unsolvable.productive);
  const auto budget = static_cast<std::size_t>(process.max_errors);
  moments.stopped = 1.0 - mix(solvable.below(budget), unsolvable.below(budget));
  for (std::size_t j = 0; j < budget; ++j) {
    moments.errors_solved +=
        static_cast<double>(j) * solvable.ends_with[j] / solvable.below(budget);
  }
  for (std::size_t k = 1; k <= budget; ++k) {
    moments.score.push_back(moments.solvable * solvable.below(k));
  }
  return moments;
}

}  // namespace unmask::power
