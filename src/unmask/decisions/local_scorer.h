#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/decisions/scorer.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/local/language_model.h"

namespace unmask::decisions {

struct LocalScorerSettings {
  ScoredArm arm;                     ///< who scores; its `tokenizer` is found out
  std::vector<double> temperatures;  ///< other than 1, at which options are scored too; each > 0
  /// Tokens that are kept of the next token's distribution, where this arm is the reference.
  std::size_t likeliest = 256;
  /// ScoredArm::tokenizer of the reference; empty where this arm is the reference. Another one than
  /// this arm's leaves options scored by their texts, and no divergence.
  std::string reference_tokenizer;
};

/// Scores decisions with a model in the process.
///
/// An option's log-probability is the sum over its tokens, from the first one that is not wholly of
/// the context's text or that not all options share: where a merge of letters reaches over that
/// place, its token counts. The same context has the same scores, bit for bit, whatever is scored
/// beside or before it. Where a context can't be scored, its ArmScores::fault is
/// `context_overflow`, `not_a_number` or `failed: ...`, and the rest goes on.
class LocalScorer final : public Scorer {
 public:
  /// `model` outlives the scorer and is used by nobody else meanwhile.
  LocalScorer(local::LanguageModel& model, LocalScorerSettings settings);

  [[nodiscard]] ScoredArm arm() const override;

  /// Errors: interrupted, also by the model's stop(); outside for a chat template that is not
  /// known. `goes_on` is asked before each context and every 64 tokens of it.
  [[nodiscard]] Result<void> score(std::span<const DecisionContext> contexts,
                                   const std::function<void(std::size_t, ArmScores)>& done,
                                   const std::function<bool()>& goes_on) override;

 private:
  local::LanguageModel& model_;
  LocalScorerSettings settings_;
};

/// Why an arm's scores hold no divergence from the reference's: tokenizers that differ or are not
/// known. Empty where it can be measured.
[[nodiscard]] std::string_view why_no_divergence(const ScoredArm& reference, const ScoredArm& arm);

}  // namespace unmask::decisions
