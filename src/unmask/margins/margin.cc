#include "unmask/margins/margin.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/episode/scored_decision.h"

namespace unmask::margins {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

// The best of one side: what is known to be reached, and what can't be exceeded.
struct Best {
  bool any = false;
  double at_least = kNothing;
  double at_most = kNothing;
};

bool is_on(const DecisionOption& option, MarginSide side) {
  return side == MarginSide::admissible ? option.admissible : option.golden;
}

const ArmScores& scores_of(const ScoredDecision& decision, std::size_t arm) {
  UNMASK_CHECK(arm < decision.arms.size());
  const ArmScores& scores = decision.arms[arm];
  UNMASK_CHECK(scores.log_probability.empty() ||
               scores.log_probability.size() == decision.options.size());
  UNMASK_CHECK(scores.at_most.empty() || scores.at_most.size() == scores.log_probability.size());
  return scores;
}

const std::vector<double>* scores_at(const ArmScores& scores, double temperature) {
  if (temperature == 1.0) return &scores.log_probability;
  for (const TemperedScores& tempered : scores.tempered)
    if (tempered.temperature == temperature) return &tempered.log_probability;
  return nullptr;
}

struct MarginOrReason {
  std::optional<double> margin;
  std::string_view reason;
};

MarginOrReason margin_or_reason(const ScoredDecision& decision, std::size_t arm, MarginSide side) {
  const ArmScores& scores = scores_of(decision, arm);
  Best ours;
  Best others;
  for (std::size_t i = 0; i < scores.log_probability.size(); ++i) {
    Best& best = is_on(decision.options[i], side) ? ours : others;
    const double value = scores.log_probability[i];
    best.any = true;
    best.at_most = std::max(best.at_most, value);
    if (scores.at_most.empty() || !scores.at_most[i])
      best.at_least = std::max(best.at_least, value);
  }
  if (scores.log_probability.empty()) return {.margin = {}, .reason = "not_scored"};
  if (!ours.any || !others.any) return {.margin = {}, .reason = "one_sided"};
  if (ours.at_least < ours.at_most || others.at_least < others.at_most)
    return {.margin = {}, .reason = "bound"};
  const double margin = ours.at_least - others.at_least;
  if (!std::isfinite(margin)) return {.margin = {}, .reason = "not_finite"};
  return {.margin = margin, .reason = {}};
}

}  // namespace

std::optional<double> margin_of(const ScoredDecision& decision, std::size_t arm, MarginSide side) {
  return margin_or_reason(decision, arm, side).margin;
}

std::string why_no_margin(const ScoredDecision& decision, std::size_t arm, MarginSide side) {
  const MarginOrReason found = margin_or_reason(decision, arm, side);
  if (found.margin) return {};
  const std::string& fault = scores_of(decision, arm).fault;
  return fault.empty() ? std::string(found.reason) : fault;
}

std::optional<double> inadmissible_mass(const ScoredDecision& decision, std::size_t arm,
                                        double temperature) {
  UNMASK_CHECK(temperature > 0);
  const ArmScores& scores = scores_of(decision, arm);
  const std::vector<double>* logs = scores_at(scores, temperature);
  if (logs == nullptr || logs->empty() || logs->size() != decision.options.size())
    return std::nullopt;
  if (std::ranges::find(scores.at_most, true) != scores.at_most.end()) return std::nullopt;
  const double most = *std::ranges::max_element(*logs);
  if (!std::isfinite(most)) return std::nullopt;
  double all = 0.0;
  double inadmissible = 0.0;
  for (std::size_t i = 0; i < logs->size(); ++i) {
    const double mass = std::exp((*logs)[i] - most);
    all += mass;
    if (!decision.options[i].admissible) inadmissible += mass;
  }
  return inadmissible / all;
}

}  // namespace unmask::margins
