#include "unmask/margins/mass.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "unmask/episode/scored_decision.h"
#include "unmask/margins/findings.h"
#include "unmask/margins/margin.h"
#include "unmask/margins/noise.h"
#include "unmask/margins/paired_group.h"
#include "unmask/margins/task_numbers.h"
#include "unmask/stats/amplification.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/task_total.h"

namespace unmask::margins {
namespace {

constexpr const char* kNoMass = "no decision has its inadmissible mass in both arms";

std::set<double> temperatures_of(const ScoredDecisions& scored,
                                 std::span<const std::uint32_t> decisions) {
  std::set<double> temperatures{1.0};
  for (const std::uint32_t i : decisions) {
    for (const TemperedScores& tempered : scored.decisions[i].arms.front().tempered) {
      if (tempered.temperature > 0.0) temperatures.insert(tempered.temperature);
    }
  }
  return temperatures;
}

MassFindings mass_at(double temperature, const ScoredDecisions& scored, std::size_t arm,
                     std::span<const std::uint32_t> decisions) {
  MassFindings found{.temperature = temperature};
  TaskNumbers numbers;
  std::vector<stats::TaskPair> pairs;
  for (const std::uint32_t i : decisions) {
    const ScoredDecision& decision = scored.decisions[i];
    const std::optional<double> reference = inadmissible_mass(decision, 0, temperature);
    const std::optional<double> other = inadmissible_mass(decision, arm, temperature);
    if (!reference || !other) continue;
    ++found.decisions;
    const std::size_t task = numbers.of(decision.task_id);
    if (task == pairs.size()) pairs.emplace_back();
    stats::TaskPair& pair = pairs[task];
    pair.reference.numerator += *reference;
    pair.reference.denominator += 1.0;
    pair.arm.numerator += *other;
    pair.arm.denominator += 1.0;
  }
  if (pairs.empty()) {
    found.reference = found.arm = found.amplification = stats::missing(kNoMass);
    return found;
  }
  std::vector<stats::TaskTotal> references;
  std::vector<stats::TaskTotal> arms;
  for (const stats::TaskPair& pair : pairs) {
    references.push_back(pair.reference);
    arms.push_back(pair.arm);
  }
  found.reference = stats::rate(references, stats::IntervalKind::wilson).estimate.figure;
  found.arm = stats::rate(arms, stats::IntervalKind::wilson).estimate.figure;
  found.amplification = stats::amplification(pairs).ratio.figure;
  return found;
}

}  // namespace

std::vector<MassFindings> mass_findings(const ScoredDecisions& scored, std::size_t arm,
                                        std::span<const std::uint32_t> decisions) {
  std::vector<MassFindings> found;
  for (const double temperature : temperatures_of(scored, decisions)) {
    MassFindings mass = mass_at(temperature, scored, arm, decisions);
    if (mass.decisions > 0 || temperature == 1.0) found.push_back(std::move(mass));
  }
  return found;
}

TopChoiceFindings top_choices(const PairedGroup& group) {
  TopChoiceFindings found{.decisions = static_cast<std::uint32_t>(group.decisions.size())};
  std::vector<stats::TaskPair> pairs(group.tasks);
  for (const PairedMargin& decision : group.decisions) {
    stats::TaskPair& pair = pairs[decision.task];
    pair.reference.denominator += 1.0;
    pair.arm.denominator += 1.0;
    if (decision.reference <= 0.0) {
      ++found.reference;
      pair.reference.numerator += 1.0;
    }
    if (decision.arm <= 0.0) {
      ++found.arm;
      pair.arm.numerator += 1.0;
    }
  }
  found.amplification = stats::amplification(pairs).ratio.figure;
  return found;
}

}  // namespace unmask::margins
