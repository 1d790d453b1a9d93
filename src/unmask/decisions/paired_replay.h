#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/decisions/decisions_writer.h"
#include "unmask/decisions/scorer.h"
#include "unmask/episode/scored_decision.h"

namespace unmask::decisions {

/// The decisions of some episodes, made anew whenever they are asked for: their messages would fill
/// the memory.
class ContextBook {
 public:
  using Make = std::function<std::vector<DecisionContext>(std::size_t episode)>;

  /// `make` gives the contexts of each of `episodes`, always the same ones; at most `most`
  /// decisions are taken, those of whole episodes spread evenly over all, at least one. 0: all.
  ContextBook(std::size_t episodes, Make make, std::size_t most = 0);

  /// All decisions, without arms.
  [[nodiscard]] std::span<const ScoredDecision> decisions() const { return decisions_; }
  /// Of decisions, options, messages and continuations.
  [[nodiscard]] const std::string& sha256() const { return sha256_; }

  /// Contexts that follow each other, beginning with decision `first`.
  struct Batch {
    std::size_t first = 0;
    std::vector<DecisionContext> contexts;
  };
  /// Calls `take` with batches of whole episodes, in order, until it says no.
  void each(const std::function<bool(Batch batch)>& take) const;

 private:
  struct Part {
    std::size_t episode = 0;
    std::size_t first = 0;  ///< decision
  };

  Make make_;
  std::vector<Part> parts_;
  std::vector<ScoredDecision> decisions_;
  std::string sha256_;
};

/// Has `scorer` score what `writer` lacks of the decisions of `book`, as arm number `arm`; the
/// reference's likeliest tokens, if it has them, are handed to the other arms. `goes_on` is asked
/// often, with how many decisions of this arm are scored. Errors: those of Scorer::score and of
/// writing.
[[nodiscard]] Result<void> score_arm(const ContextBook& book, Scorer& scorer, std::size_t arm,
                                     DecisionsWriter& writer,
                                     const std::function<bool(std::size_t scored)>& goes_on);

/// A context without the option that has an empty continuation (all that the others do not begin),
/// which no scorer can be asked for; and its scores with that option, as the rest of the
/// probability.
[[nodiscard]] DecisionContext without_rest(DecisionContext context);
[[nodiscard]] ArmScores with_rest(const DecisionContext& context, ArmScores scores);

}  // namespace unmask::decisions
