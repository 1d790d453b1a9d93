#include "unmask/margins/carriers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "unmask/episode/scored_decision.h"
#include "unmask/margins/findings.h"
#include "unmask/margins/margin.h"

namespace unmask::margins {
namespace {

// Probabilities of all options at T = 1; empty where inadmissible_mass has nothing.
std::vector<double> probabilities(const ScoredDecision& decision, std::size_t arm) {
  if (!inadmissible_mass(decision, arm, 1.0)) return {};
  const std::vector<double>& logs = decision.arms[arm].log_probability;
  const double most = *std::ranges::max_element(logs);
  double sum = 0.0;
  for (const double value : logs) sum += std::exp(value - most);
  std::vector<double> shares;
  shares.reserve(logs.size());
  for (const double value : logs) shares.push_back(std::exp(value - most) / sum);
  return shares;
}

CarrierDecision carrier_of(const ScoredDecision& decision, std::size_t index, std::size_t arm) {
  CarrierDecision carrier{.decision = static_cast<std::uint32_t>(index),
                          .task_id = decision.task_id,
                          .trial = decision.trial,
                          .message = decision.message,
                          .call = decision.call,
                          .party = decision.party,
                          .kind = decision.kind,
                          .argument = decision.argument,
                          .m_ref = margin_of(decision, 0),
                          .m_arm = margin_of(decision, arm),
                          .mass_ref = inadmissible_mass(decision, 0, 1.0),
                          .mass_arm = inadmissible_mass(decision, arm, 1.0)};
  carrier.flipped = carrier.m_ref && carrier.m_arm && *carrier.m_ref > 0.0 && *carrier.m_arm <= 0.0;
  if (const auto best = likeliest(decision, 0, true))
    carrier.admissible = decision.options[*best].text;
  if (const auto best = likeliest(decision, arm, false)) {
    carrier.inadmissible = decision.options[*best].text;
    carrier.provenance = decision.options[*best].provenance;
  }
  return carrier;
}

// Of decisions without mass in both arms, nothing.
double rise_of(const CarrierDecision& carrier) {
  return carrier.mass_ref && carrier.mass_arm ? *carrier.mass_arm - *carrier.mass_ref : 0.0;
}

class NameTally {
 public:
  void add(const ScoredDecision& decision, std::size_t arm, bool flipped) {
    const std::vector<double> before = probabilities(decision, 0);
    const std::vector<double> after = probabilities(decision, arm);
    const std::optional<std::size_t> top = likeliest(decision, arm, false);
    for (std::size_t i = 0; i < decision.options.size(); ++i) {
      const DecisionOption& option = decision.options[i];
      if (option.admissible) continue;
      CarrierName& name = names_[{decision.kind, option.text, option.provenance}];
      if (!before.empty() && !after.empty()) {
        ++name.decisions;
        name.rise += after[i] - before[i];
      }
      if (flipped && top == i) ++name.flipped_to;
    }
  }

  [[nodiscard]] std::vector<CarrierName> listed(std::size_t most) const {
    std::vector<CarrierName> names;
    for (const auto& [key, tallied] : names_) {
      if (tallied.rise <= 0.0 && tallied.flipped_to == 0) continue;
      names.push_back(tallied);
      std::tie(names.back().kind, names.back().name, names.back().provenance) = key;
    }
    std::ranges::stable_sort(names, [](const CarrierName& one, const CarrierName& other) {
      return std::pair(one.rise, one.flipped_to) > std::pair(other.rise, other.flipped_to);
    });
    if (names.size() > most) names.resize(most);
    return names;
  }

 private:
  std::map<std::tuple<DecisionKind, std::string, std::string>, CarrierName> names_;
};

}  // namespace

std::optional<std::size_t> likeliest(const ScoredDecision& decision, std::size_t arm,
                                     bool admissible) {
  const ArmScores& scores = decision.arms.at(arm);
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < scores.log_probability.size(); ++i) {
    if (decision.options[i].admissible != admissible) continue;
    if (!scores.at_most.empty() && scores.at_most[i]) continue;
    if (!best || scores.log_probability[i] > scores.log_probability[*best]) best = i;
  }
  return best;
}

Carriers carriers(const ScoredDecisions& scored, std::size_t arm, std::size_t listed) {
  Carriers found;
  NameTally names;
  for (std::size_t i = 0; i < scored.decisions.size(); ++i) {
    const ScoredDecision& decision = scored.decisions[i];
    CarrierDecision carrier = carrier_of(decision, i, arm);
    names.add(decision, arm, carrier.flipped);
    const double rise = rise_of(carrier);
    found.rise += std::max(0.0, rise);
    if (rise > 0.0 || carrier.flipped) found.decisions.push_back(std::move(carrier));
  }
  std::ranges::stable_sort(found.decisions, std::ranges::greater{}, rise_of);
  if (found.decisions.size() > listed) found.decisions.resize(listed);
  for (const CarrierDecision& carrier : found.decisions)
    found.listed_rise += std::max(0.0, rise_of(carrier));
  found.names = names.listed(listed);
  return found;
}

}  // namespace unmask::margins
