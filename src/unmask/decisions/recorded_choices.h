#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/episode/scored_decision.h"

namespace unmask::decisions {

/// What a log recorded of its own choices.
struct RecordedChoices {
  ScoredDecisions scored;             ///< one arm: the log's
  std::uint64_t without_choices = 0;  ///< calls whose log-probabilities leave the name out
  std::uint64_t calls = 0;            ///< the agent's
};

/// The tool names that a log has log-probabilities of, as decisions scored by the log's own arm, at
/// temperature 1. Of names but the chosen one only the beginning was recorded, so that their scores
/// are upper bounds; what is outside of the recorded likeliest has no score and is no option.
///
/// Never to be set beside replayed scores: an answer that was generated token by token in a batch
/// and the same text scored at once differ by more than rounding.
[[nodiscard]] RecordedChoices recorded_choices(const LogHeader& header,
                                               std::span<const Episode> episodes);

}  // namespace unmask::decisions
