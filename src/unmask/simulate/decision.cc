#include "unmask/simulate/decision.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "unmask/base/check.h"

namespace unmask::simulate {
namespace {

/// FNV-1a, to make one stream index of what a place is. Streams of different places must differ,
/// not withstand an attacker.
class Key {
 public:
  Key& add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    return add(text.size());
  }
  Key& add(std::uint64_t number) {
    for (unsigned shift = 0; shift < 64; shift += 8) {
      add_byte(static_cast<unsigned char>((number >> shift) & 0xffU));
    }
    return *this;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  void add_byte(unsigned char byte) {
    value_ ^= byte;
    value_ *= 0x100000001b3U;
  }
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

Key task_key(const ModelTraits& traits, DecisionKind kind, const Place& place) {
  Key key;
  key.add(traits.name).add(static_cast<std::uint64_t>(kind)).add(place.task);
  // Whether a step is thought done is a trait of the task as a whole: who doesn't understand it
  // doesn't understand it at any step.
  if (kind != DecisionKind::duty) key.add(place.step);
  return key;
}

Key trial_key(const ModelTraits& traits, DecisionKind kind, const Place& place) {
  Key key = task_key(traits, kind, place);
  key.add(place.trial_seed).add(place.attempt);
  return key;
}

double mean_margin(const ModelTraits& traits, DecisionKind kind) {
  switch (kind) {
    case DecisionKind::ask:
      return traits.ask_margin;
    case DecisionKind::call:
      return traits.call_margin;
    case DecisionKind::argument:
      return traits.argument_margin;
    case DecisionKind::duty:
      return traits.duty_margin;
  }
  return 0.0;
}

/// Standard Gumbel: the best of logits with it is a draw from their softmax.
double gumbel(Rng& rng) { return -std::log(-std::log1p(-rng.uniform())); }

}  // namespace

double margin_at(const ModelTraits& traits, DecisionKind kind, const Place& place) {
  Rng task(place.seed, "simulated_margin_task", task_key(traits, kind, place).value());
  Rng trial(place.seed, "simulated_margin_trial", trial_key(traits, kind, place).value());
  const double sd = kind == DecisionKind::duty ? traits.duty_sd : traits.context_sd;
  return mean_margin(traits, kind) + sd * (std::sqrt(traits.task_share) * task.normal() +
                                           std::sqrt(1.0 - traits.task_share) * trial.normal());
}

Decision decide(const ModelTraits& traits, const LogitNoise& noise, DecisionKind kind,
                const Place& place, std::string_view right, const std::vector<Temptation>& tempting,
                double margin) {
  Decision decision;
  decision.options.reserve(tempting.size() + 1);
  decision.options.push_back({std::string(right), 0.0, true});
  double strongest = 0.0;
  for (const Temptation& temptation : tempting) {
    strongest =
        &temptation == tempting.data() ? temptation.pull : std::max(strongest, temptation.pull);
  }
  for (const Temptation& temptation : tempting) {
    decision.options.push_back({temptation.name, temptation.pull - strongest - margin, false});
  }
  if (noise.margin_sd > 0.0) {
    // Each option has a stream of its own: what is tempting besides changes nobody's noise.
    for (Option& option : decision.options) {
      Key key = trial_key(traits, kind, place);
      Rng rng(place.seed, "simulated_noise",
              key.add(noise.name).add(option.admissible ? 1U : 0U).add(option.name).value());
      option.logit += noise.margin_sd / std::numbers::sqrt2 * rng.normal();
    }
  }
  Rng sampling(place.seed, "simulated_sampling",
               trial_key(traits, kind, place).add(noise.name).value());
  double best = 0.0;
  for (std::size_t i = 0; i < decision.options.size(); ++i) {
    const double logit = decision.options[i].logit +
                         (traits.temperature > 0.0 ? traits.temperature * gumbel(sampling) : 0.0);
    if (i == 0 || logit > best) {
      best = logit;
      decision.chosen = i;
    }
  }
  return decision;
}

bool recovers(const ModelTraits& traits, const Place& place, bool diagnosed) {
  Rng rng(place.seed, "simulated_recovery",
          trial_key(traits, DecisionKind::call, place).add(place.attempt).value());
  return rng.bernoulli(diagnosed ? traits.diagnosed_recovery : traits.recovery);
}

std::vector<double> log_probabilities(const std::vector<Option>& options) {
  UNMASK_CHECK(!options.empty());
  double best = options.front().logit;
  for (const Option& option : options) best = std::max(best, option.logit);
  double sum = 0.0;
  for (const Option& option : options) sum += std::exp(option.logit - best);
  std::vector<double> logs;
  logs.reserve(options.size());
  for (const Option& option : options) logs.push_back(option.logit - best - std::log(sum));
  return logs;
}

}  // namespace unmask::simulate
