#pragma once

#include <array>
#include <cstddef>

#include "unmask/episode/scored_decision.h"
#include "unmask/play/prompt_texts.h"

namespace unmask::decisions {

/// Which decisions of a log are taken, and what is set against what was chosen.
struct ContextSettings {
  /// By DecisionKind: whether decisions of that kind are taken.
  std::array<bool, kDecisionKindCount> kinds = {true, true, true, true};
  /// Most inadmissible names (values) of a decision that come from the logs beside the recorded
  /// one, most frequent first.
  std::size_t tempting = 8;
  std::size_t entities = 12;  ///< most ids of the context that are options of a decision
  /// What tells an agent its part in logs of tau2-bench's form, which leave the system prompt out.
  play::PromptTexts texts = play::own_prompt_texts();

  bool operator==(const ContextSettings&) const = default;
};

}  // namespace unmask::decisions
