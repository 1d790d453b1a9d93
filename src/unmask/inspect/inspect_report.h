#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/budget/budget_regime.h"
#include "unmask/budget/success_curve.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"
#include "unmask/inspect/harness_averages.h"
#include "unmask/inspect/tool_usage.h"
#include "unmask/inspect/trial_ledger.h"

namespace unmask {

/// The budget that a log was made under, and what it hides.
struct BudgetReport {
  BudgetRegime regime;
  bool max_errors_is_stale =
      false;                    ///< the header's max_errors is not the budget that was enforced
  std::optional<int> observed;  ///< K_obs: up to it S(K) is exact; empty = exact for every K
  std::uint32_t stopped = 0;    ///< episodes that it ended: unknown beyond it
  std::optional<std::uint32_t> fewest_errors_at_stop;
  BudgetContradictions contradictions;

  bool operator==(const BudgetReport&) const = default;
};

/// S(K) of one log.
struct ScoreLine {
  int budget = 0;
  Band score;          ///< mean over tasks
  Band episode_score;  ///< mean over episodes, as benchmarks print it

  bool operator==(const ScoreLine&) const = default;
};

/// Everything that `unmask inspect` says of a log. Fields that the log does not have are empty.
struct InspectReport {
  std::string file;
  std::string format;
  std::string sha256;
  std::uint64_t bytes = 0;
  std::string timestamp;
  std::string domain;
  Harness harness;
  std::optional<int> max_steps;
  BudgetReport budget;
  TrialLedger trials;
  std::array<std::uint32_t, kTerminationCount> terminations{};  ///< by Termination; all episodes
  PartyCalls agent;                                             ///< calls of all tools
  PartyCalls user;
  std::uint64_t communication_errors = 0;
  std::string tools_source;
  bool tools_complete = false;
  std::vector<ToolUsage> tools;
  ArmIdentity identity;
  std::vector<std::string> reward_basis;
  HarnessAverages averages;
  std::vector<ScoreLine> score;  ///< K = 1 .. 10, and K_obs if that is larger; empty without scores
  std::map<std::string, std::uint64_t> missing_fields;
  std::map<std::string, std::size_t, std::less<>> diagnostics;  ///< code -> how often

  bool operator==(const InspectReport&) const = default;
};

/// Describes one log. `arm` holds its episodes, its `budget` is the regime that the caller decided
/// on (usually infer_regime's); `diagnostics` are those of this log alone.
[[nodiscard]] InspectReport inspect(const LogHeader& header, const ArmFacts& arm,
                                    const Diagnostics& diagnostics);

}  // namespace unmask
