#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/episode/facts.h"

namespace unmask {

/// First calls at the states of perfect runs, arm by arm and against the reference: the single-turn
/// view, to be set beside the loop's. A task's answers are one cluster, as its trials are: the
/// share of right ones is a mean over tasks, its difference is paired by task and tested as a gap;
/// errors an answer are compared as errors an episode. Both are given, too, for the
/// states where a step of the agent's is due, and for the user's, where the log says whose. In no
/// family of tests. `arms` have rows with EpisodeFacts::first_call only; `index` keys the random
/// streams from there on. Source: STATISTICS, "Score", "Differences", "Rates".
[[nodiscard]] SingleTurnFindings single_turn_findings(std::span<const ArmFacts> arms,
                                                      const std::string& reference,
                                                      const AuditSettings& settings,
                                                      std::uint64_t index);

}  // namespace unmask
