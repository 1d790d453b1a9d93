#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/base/error.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/report/producer.h"
#include "unmask/screen/arm_screen.h"

namespace unmask {

/// Budgets at which every card gives the score, besides the observed one.
inline constexpr int kCardBudgets[] = {1, 2, 5};

struct CardChannel {
  std::string name;
  std::uint64_t errors = 0;
  Figure per_episode;
  Figure per_call;
  Figure per_successful_call;

  bool operator==(const CardChannel&) const = default;
};

/// S(k); beyond the observed budget null with a reason.
struct CardScore {
  int k = 0;
  Figure score;

  bool operator==(const CardScore&) const = default;
};

/// Which episodes the figures rest on.
struct CardCoverage {
  std::uint32_t tasks = 0;
  std::uint32_t episodes = 0;  ///< observations
  std::uint32_t vanished = 0;  ///< the three below together
  std::uint32_t excluded_infrastructure = 0, excluded_no_reward = 0, missing_trials = 0;
  std::uint32_t stopped_by_budget = 0;
  std::uint32_t contradictions = 0;
  std::uint64_t agent_calls = 0;

  bool operator==(const CardCoverage&) const = default;
};

/// What the arm's comparison with its cell's reference found.
struct CardComparison {
  std::string reference;
  Verdict verdict = Verdict::inconclusive;
  ScoreSuffix suffix = ScoreSuffix::none;
  std::string sentence;
  std::vector<CardScore> gap;         ///< fractions, at the card's budgets
  std::vector<CardChannel> channels;  ///< per_episode, per_call, per_successful_call = ratios

  bool operator==(const CardComparison&) const = default;
};

/// A log that the figures were made from.
struct CardInput {
  std::string sha256;
  std::string format;

  bool operator==(const CardInput&) const = default;
};

/// The reporting standard for one arm: what a model card should say of tool-calling besides the
/// score. Made from an audit, which may hold a single arm.
struct Card {
  std::string cell, domain, arm;
  ArmIdentity identity;
  Harness harness;
  BudgetRegime budget;
  BudgetSemantics semantics;  ///< under which S(K) was computed
  std::vector<std::string> reward_basis;
  CardCoverage coverage;
  int k_obs = 0;  ///< budget of `score`: the enforced one, or the largest shown one
  Figure score;   ///< S(k_obs), a fraction
  std::vector<CardScore> score_by_budget;  ///< kCardBudgets and k_obs, ascending
  std::vector<CardChannel> channels;       ///< the six, then the roll-ups
  RecoveryShare next_call_recovery;
  std::optional<CardComparison> comparison;  ///< empty for a reference or a lone arm
  /// Of a screened reference: what its own log says of the damage that more errors would do.
  std::optional<screen::RiskClass> risk = std::nullopt;
  std::vector<CardInput> inputs;
};

/// The card of `arm` in `cell`. Errors: invalid_argument if there is no such cell or arm (the
/// message lists those that are), bad_input if the arm has no score.
[[nodiscard]] Result<Card> card_from(const AuditFindings& findings, std::string_view cell,
                                     std::string_view arm);

/// `"schema": "unmask.card/1"`, docs/schemas/card.json. Shares are fractions, gaps points.
[[nodiscard]] std::string card_json(const Card& card, const Producer& producer = this_program());
/// For a model card.
[[nodiscard]] std::string card_markdown(const Card& card);

/// What is wrong at one place of a card.
struct CardViolation {
  std::string path;      ///< JSON Pointer (RFC 6901); empty = the document
  std::string sentence;  ///< what is wrong and the remedy

  bool operator==(const CardViolation&) const = default;
};

/// Checks a card, made here or elsewhere, against docs/schemas/card.json and against itself: S(K)
/// must not fall as K grows, shares lie within 0..1, intervals hold their value, score = S(k_obs).
/// Empty = a good card. Text that is no JSON is one violation. Rounded figures (three decimals) are
/// good enough.
[[nodiscard]] std::vector<CardViolation> check_card(std::string_view json);

/// Reads a card. Errors: bad_input with the first violation if check_card finds any; `file` names
/// it in the message.
[[nodiscard]] Result<Card> parse_card(std::string_view json, std::string_view file);

}  // namespace unmask
