#pragma once

#include <string>
#include <vector>

#include "unmask/episode/scored_decision.h"
#include "unmask/llm/chat.h"

namespace unmask::decisions {

/// A decision of a recorded episode with all that a model needs to be asked it again.
struct DecisionContext {
  ScoredDecision decision;  ///< without arms
  /// What the model was shown, instructions on tools included: the same messages, in the same
  /// order, as when the decision was made.
  std::vector<llm::ChatMessage> messages;
  std::string begins;  ///< the assistant's own text before the options part, as recorded
  /// Parallel to the decision's options: what the message goes on with, the mark included that ends
  /// the option (the closing quote of a name), so that no continuation begins another one.
  std::vector<std::string> continuations;
  /// ArmScores::likeliest of the reference, once it has scored this decision: what an arm's
  /// divergence is measured from. Empty: it is not measured.
  std::vector<LikelyToken> likeliest;

  bool operator==(const DecisionContext&) const = default;
};

}  // namespace unmask::decisions
