#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/rng.h"

namespace unmask::simulate {

/// A tool name that a model is drawn to although it is not offered to it.
struct Temptation {
  std::string name;
  double pull = 0.0;  ///< logits above (or below) the strongest temptation of the place
};

/// How a model decides at full precision. Margins are logits: that of the right choice less that of
/// the strongest tempting one, over the places where such a choice is made. Nothing here depends
/// on precision.
struct ModelTraits {
  std::string name;  ///< keys the model's random streams
  /// Where the agent must ask the user for a step on the phone, but could call the phone's tool
  /// itself; of a policy that doesn't name the tool.
  double ask_margin = 8.0;
  double call_margin = 8.0;         ///< where it must call a tool of its own
  double argument_margin = 8.0;     ///< the right id over a garbled one
  double duty_margin = 8.0;         ///< doing a needed step over thinking it done
  double named_pull = 0.0;          ///< what a tempting name gains where the policy names it
  double context_sd = 1.0;          ///< of tool and argument margins between places
  double duty_sd = 1.0;             ///< of duty margins between tasks and trials
  double task_share = 0.5;          ///< of those variances: what all trials of a task share, 0 to 1
  double temperature = 0.0;         ///< of sampling; 0 takes the best
  double recovery = 0.5;            ///< chance that an error message is taken to heart
  double diagnosed_recovery = 0.5;  ///< the same where a repair prompt adds a diagnosis
  double rule_pull = 0.0;  ///< what tempting names lose under a rule in the system prompt (>= 0)
  std::vector<Temptation> invented;  ///< names that nobody has, wherever a tool is chosen
};

/// What quantization does: noise added to every logit, so that a margin of two names gets noise of
/// `margin_sd`. It is fixed by the place, as rounded weights are, and knows no direction.
struct LogitNoise {
  std::string name;        ///< keys the noise: two arms of one precision have different noise
  double margin_sd = 0.0;  ///< logits
};

/// One choice at a decision.
struct Option {
  std::string name;  ///< of a tool; empty: to answer in words
  double logit = 0.0;
  bool admissible = false;
};

/// A decision as it was drawn.
struct Decision {
  std::vector<Option> options;  ///< with the noise in their logits; the first is the right one
  std::size_t chosen = 0;       ///< index of an option

  [[nodiscard]] bool is_right() const { return chosen == 0; }
};

/// Where a decision is made: all that the draws depend on besides the model and its noise.
struct Place {
  std::uint64_t seed = 0;        ///< of the study
  std::string_view task;         ///< what trials share
  std::uint64_t trial_seed = 0;  ///< what one trial has for itself
  std::uint32_t step = 0;        ///< of the plan
  std::uint32_t attempt = 0;     ///< how often the step was tried before
};

enum class DecisionKind : std::uint8_t { ask, call, argument, duty };

/// How the margin of a kind of decision lies at a place, before noise: normal around the model's
/// mean for the kind, with a part that all trials of the task share. The same for every precision.
[[nodiscard]] double margin_at(const ModelTraits& traits, DecisionKind kind, const Place& place);

/// Chooses between `right` and `tempting`, the strongest of which lies `margin` below it. Ties and
/// an empty list go to `right`.
[[nodiscard]] Decision decide(const ModelTraits& traits, const LogitNoise& noise, DecisionKind kind,
                              const Place& place, std::string_view right,
                              const std::vector<Temptation>& tempting, double margin);

/// After a failed call: whether the error message, or the diagnosis after it, is taken to heart.
[[nodiscard]] bool recovers(const ModelTraits& traits, const Place& place, bool diagnosed);

/// The options' log-probabilities (natural log) at temperature 1.
[[nodiscard]] std::vector<double> log_probabilities(const std::vector<Option>& options);

}  // namespace unmask::simulate
