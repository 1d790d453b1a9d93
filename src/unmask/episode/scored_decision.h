#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/episode/channel.h"

namespace unmask {

/// What is decided at a place of an episode.
enum class DecisionKind : std::uint8_t {
  call_or_answer,   ///< whether a message calls a tool or speaks
  tool_name,        ///< which tool
  enum_argument,    ///< a value of which the schema lists all
  entity_argument,  ///< an id, copied from the context or invented
};
inline constexpr std::size_t kDecisionKindCount = 4;
/// `call_or_answer`, `tool_name` ...: as files and JSON have them.
[[nodiscard]] std::string_view name_of(DecisionKind kind);
[[nodiscard]] std::optional<DecisionKind> decision_kind_from_name(std::string_view name);

/// One of the things that could be chosen at a decision.
struct DecisionOption {
  std::string text;  ///< the tool's name; the argument's value; `call` or `answer`
  /// Offered to that party there; of arguments: among the schema's values, or standing in the
  /// context.
  bool admissible = false;
  bool golden = false;     ///< what a perfect run does here, where that is known
  std::string provenance;  ///< of an inadmissible name: NameProvenance's word; else empty

  bool operator==(const DecisionOption&) const = default;
};

/// Log-probabilities of a decision's options at a sampling temperature other than 1, as products
/// over tokens.
struct TemperedScores {
  double temperature = 1.0;
  std::vector<double> log_probability;

  bool operator==(const TemperedScores&) const = default;
};

/// A token of a model's vocabulary and its natural log-probability.
struct LikelyToken {
  std::int32_t token = 0;
  double log_probability = 0.0;

  bool operator==(const LikelyToken&) const = default;
};

/// What one arm makes of a decision's options, given the recorded context.
struct ArmScores {
  /// Natural log, parallel to ScoredDecision::options: of all the option's tokens and the mark that
  /// ends it, so that an option which begins another one is no part of it. Empty: not scored.
  std::vector<double> log_probability;
  /// Parallel to it, or empty: true where the value is an upper bound (an option outside of the
  /// likeliest that an endpoint tells).
  std::vector<bool> at_most;
  std::vector<TemperedScores> tempered;
  /// KL divergence, in nats, of this arm's next token from the reference's at the decision, over
  /// the reference's likeliest tokens and one class for the rest; absent for the reference itself
  /// and where tokens can't be compared.
  std::optional<double> divergence;
  /// Of the reference alone: its likeliest next tokens at the decision, best first, which the
  /// divergence of arms with the same ScoredArm::tokenizer is measured from.
  std::vector<LikelyToken> likeliest;
  std::string fault;  ///< why there are no scores: `context_overflow`, `not_a_number` ...

  bool operator==(const ArmScores&) const = default;
};

/// A recorded decision of the reference, scored by every arm.
struct ScoredDecision {
  std::string task_id;
  int trial = 0;
  std::uint32_t message = 0;  ///< index of the message that decides, in the saved order
  std::uint32_t call = 0;     ///< which call of that message
  Party party = Party::agent;
  DecisionKind kind = DecisionKind::tool_name;
  std::string argument;  ///< of arguments: `tool.argument`; else empty
  std::vector<DecisionOption> options;
  /// Index into `options` of what the log has; absent where that is none of them.
  std::optional<std::uint32_t> recorded;
  std::vector<ArmScores> arms;  ///< parallel to ScoredDecisions::arms

  bool operator==(const ScoredDecision&) const = default;
};

/// Who scored.
struct ScoredArm {
  std::string name;
  std::string model;                      ///< the file's or endpoint's name of it
  std::string precision;                  ///< in words, as read from the file; may be empty
  std::optional<double> bits_per_weight;  ///< as read from the file
  std::string tokenizer;  ///< the same where texts become the same tokens; empty: not known

  bool operator==(const ScoredArm&) const = default;
};

/// Paired replay of one cell: the decisions of the reference's own episodes under every arm.
struct ScoredDecisions {
  std::vector<ScoredArm> arms;  ///< the reference first
  std::vector<ScoredDecision> decisions;

  bool operator==(const ScoredDecisions&) const = default;
};

}  // namespace unmask
