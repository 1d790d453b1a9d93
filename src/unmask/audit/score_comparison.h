#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/task_table.h"
#include "unmask/audit/verdict.h"
#include "unmask/budget/success_curve.h"
#include "unmask/stats/resampling.h"

namespace unmask {

/// Two arms of a cell on their shared tasks, and the budgets at which they can be compared.
struct ArmPair {
  const ArmFacts* ref = nullptr;
  const ArmFacts* arm = nullptr;
  TaskPairing tasks;
  int k_obs = 10;           ///< the smaller enforced budget, or settings.shown_budget if none is
  bool censored = false;    ///< k_obs was enforced in at least one arm
  std::uint64_t index = 0;  ///< keys the random streams
};
[[nodiscard]] ArmPair pair_arms(const ArmFacts& ref, const ArmFacts& arm,
                                const AuditSettings& settings, std::uint64_t index);

/// The random stream of one of the tests of a pair; `purpose` < 64 keeps them apart.
[[nodiscard]] stats::Resampling stream_of(const ArmPair& pair, const AuditSettings& settings,
                                          std::uint64_t purpose);

/// How episodes whose outcome the log does not tell are counted.
struct ScoreTreatment {
  BudgetSemantics semantics;
  BandEnd end = BandEnd::low;  ///< of episodes that their own budget stopped
  VanishedAs vanished = VanishedAs::left_out;
  StrayWrites stray_writes = StrayWrites::passed_over;
};

/// Both arms' success curves under one treatment, made once and read at many budgets.
class ScoreComparison {
 public:
  ScoreComparison(const ArmPair& pair, const ScoreTreatment& treatment);

  /// Solved trials at `budget` over trials, of each shared task that has trials in both arms.
  [[nodiscard]] std::vector<stats::TaskPair> at(int budget) const;
  /// Solved at `budget` less solved at K_obs: the numerators of the widening.
  [[nodiscard]] std::vector<stats::TaskPair> widening(int budget) const;
  /// Sums over K = 1 .. K_obs: the area between the curves.
  [[nodiscard]] std::vector<stats::TaskPair> area() const;
  /// Raw evidence for the verdict: D(K_obs), W(first budget), equivalence at both.
  [[nodiscard]] ScoreEvidence evidence(const AuditSettings& settings) const;

 private:
  const ArmPair* pair_;
  BandEnd end_;
  SuccessCurve ref_, arm_;
  std::vector<std::size_t> ref_index_, arm_index_;  // of each shared task in the curves
};

/// Fills gap, widening, area, equivalence and detectable effects (raw p-values) of `findings`.
void compare_scores(const ArmPair& pair, const AuditSettings& settings,
                    ComparisonFindings& findings);

}  // namespace unmask
