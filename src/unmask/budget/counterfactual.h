#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "unmask/budget/budget_semantics.h"
#include "unmask/budget/stop_profile.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// What would have become of an episode under another budget.
enum class Outcome : std::uint8_t {
  failed,
  passed,
  unknown,  ///< its own budget stopped it first: nobody saw how it would have gone on
};

/// An episode's outcome at every budget: failed below `lives_needed`, `beyond` from there on.
struct Counterfactual {
  int lives_needed = 1;
  Outcome beyond = Outcome::failed;

  [[nodiscard]] Outcome at(int budget) const {
    return budget < lives_needed ? Outcome::failed : beyond;
  }

  bool operator==(const Counterfactual&) const = default;
};

/// True if the log's own budget really ended `episode`: the harness says so (too_many_errors) and
/// `regime` is enforced; or the log gives no reason and a failed episode's count reaches the
/// enforced budget.
[[nodiscard]] bool stopped_by_own_budget(const EpisodeFacts& episode, const BudgetRegime& regime);

/// Counterfactual outcomes of `episode` (not an excluded one) under `semantics`, from a log made
/// under `regime`. An episode that its own budget did not stop is exact at every budget; one that
/// it stopped is failed where its recorded calls already exhaust the counterfactual budget and
/// unknown above. With `ignored`, the same with those failures not counted.
/// Source: STATISTICS, "Score" and "Which channel eats the budget"; the rule success(K') =
/// success(K) and errors < K' was checked on re-runs of the original.
[[nodiscard]] Counterfactual counterfactual(const EpisodeFacts& episode, const BudgetRegime& regime,
                                            const BudgetSemantics& semantics,
                                            const std::optional<ErrorSelector>& ignored = {});

[[nodiscard]] std::string_view name_of(Outcome outcome);

}  // namespace unmask
