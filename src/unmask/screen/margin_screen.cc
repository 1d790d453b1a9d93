#include "unmask/screen/margin_screen.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/margins/margin.h"
#include "unmask/stats/amplification.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/special.h"
#include "unmask/stats/task_total.h"

namespace unmask::screen {
namespace {

// What a decision brings; the task is its cluster.
struct Decision {
  std::size_t task = 0;
  DecisionKind kind = DecisionKind::tool_name;
  std::optional<double> margin;
  std::optional<double> mass;
};

struct Collected {
  std::vector<Decision> decisions;
  std::size_t tasks = 0;
};

Collected collected(const ScoredDecisions& scored, std::size_t arm) {
  Collected result;
  std::map<std::string_view, std::size_t> tasks;
  for (const ScoredDecision& decision : scored.decisions) {
    Decision& each = result.decisions.emplace_back();
    each.task = tasks.emplace(decision.task_id, tasks.size()).first->second;
    each.kind = decision.kind;
    each.margin = margins::margin_of(decision, arm);
    if (each.margin) each.mass = margins::inadmissible_mass(decision, arm, 1.0);
  }
  result.tasks = tasks.size();
  return result;
}

// Sums of a share now (reference) and under noise (arm), by task.
class ShareSums {
 public:
  explicit ShareSums(std::size_t tasks) : tasks_(tasks) {}

  void add(std::size_t task, double now, double predicted) {
    stats::TaskPair& pair = tasks_[task];
    pair.reference.numerator += now;
    pair.reference.denominator += 1.0;
    pair.arm.numerator += predicted;
    pair.arm.denominator += 1.0;
  }

  [[nodiscard]] std::uint32_t tasks_with_any() const {
    std::uint32_t count = 0;
    for (const stats::TaskPair& pair : tasks_) count += pair.reference.denominator > 0.0;
    return count;
  }

  [[nodiscard]] PredictedShare figures() const {
    std::vector<stats::TaskPair> pairs;
    std::vector<stats::TaskTotal> now;
    std::vector<stats::TaskTotal> predicted;
    for (const stats::TaskPair& pair : tasks_) {
      if (pair.reference.denominator == 0.0) continue;
      pairs.push_back(pair);
      now.push_back(pair.reference);
      predicted.push_back(pair.arm);
    }
    if (pairs.empty()) {
      const stats::Figure none = stats::missing("no decision that can be scored");
      return {.now = none, .predicted = none, .amplification = none};
    }
    const stats::Amplification ratio = stats::amplification(pairs);
    PredictedShare share{
        .now = stats::rate(now, stats::IntervalKind::wilson).estimate.figure,
        .predicted = stats::rate(predicted, stats::IntervalKind::wilson).estimate.figure,
        .amplification = ratio.ratio.figure};
    if (!share.amplification.value && ratio.plain_ratio && *ratio.plain_ratio > 0.0) {
      share.amplification = stats::without_interval(*ratio.plain_ratio, share.amplification.reason);
    }
    return share;
  }

 private:
  std::vector<stats::TaskPair> tasks_;
};

MarginKindScreen of_kind(const Collected& all, std::optional<DecisionKind> kind,
                         const MarginNoise& noise) {
  MarginKindScreen result{.kind = kind ? std::string(name_of(*kind)) : "all"};
  ShareSums greedy(all.tasks);
  ShareSums sampled(all.tasks);
  for (const Decision& decision : all.decisions) {
    if (kind && decision.kind != *kind) continue;
    if (!decision.margin) {
      ++result.left_out;
      continue;
    }
    ++result.decisions;
    const double m = *decision.margin;
    greedy.add(decision.task, m <= 0.0 ? 1.0 : 0.0,
               stats::normal_cdf(-(m + noise.bias) / noise.sigma));
    if (!decision.mass) continue;
    const double mass = *decision.mass;
    sampled.add(decision.task, mass,
                mass_under_noise(std::log1p(-mass) - std::log(mass), noise.sigma, noise.bias));
  }
  result.tasks = greedy.tasks_with_any();
  result.greedy = greedy.figures();
  result.sampled = sampled.figures();
  return result;
}

}  // namespace

double mass_under_noise(double log_odds, double sigma, double bias) {
  UNMASK_CHECK(sigma > 0.0 && !std::isnan(log_odds));
  if (std::isinf(log_odds)) return log_odds > 0.0 ? 0.0 : 1.0;
  // Trapezoids over +-8 SD: exact to rounding for a smooth integrand that vanishes at the ends. The
  // steps are fine enough for a logistic that is narrow beside the noise.
  constexpr double kReach = 8.0;
  const int steps = 128 * static_cast<int>(std::ceil(std::fmin(1.0 + sigma / 4.0, 64.0)));
  const double step = 2.0 * kReach / steps;
  double sum = 0.0;
  double weights = 0.0;
  for (int i = 0; i <= steps; ++i) {
    const double z = -kReach + step * i;
    const double weight = std::exp(-0.5 * z * z);
    sum += weight / (1.0 + std::exp(log_odds + bias + sigma * z));
    weights += weight;
  }
  return sum / weights;
}

std::vector<MarginScreen> screen_margins(const ScoredDecisions& scored,
                                         std::span<const MarginNoise> noises, std::size_t arm) {
  UNMASK_CHECK(scored.decisions.empty() || arm < scored.arms.size());
  const Collected all = collected(scored, arm);
  std::array<bool, kDecisionKindCount> occurs{};
  for (const Decision& decision : all.decisions)
    occurs[static_cast<std::size_t>(decision.kind)] = true;
  std::vector<MarginScreen> screens;
  for (const MarginNoise& noise : noises) {
    UNMASK_CHECK(noise.sigma > 0.0);
    MarginScreen& screen = screens.emplace_back();
    screen.noise = noise;
    screen.kinds.push_back(of_kind(all, std::nullopt, noise));
    for (std::size_t i = 0; i < occurs.size(); ++i) {
      if (occurs[i]) screen.kinds.push_back(of_kind(all, static_cast<DecisionKind>(i), noise));
    }
  }
  return screens;
}

}  // namespace unmask::screen
