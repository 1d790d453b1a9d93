#include "unmask/budget/counterfactual.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "unmask/base/check.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/budget/stop_profile.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

/// True if whatever exhausts a budget of `regime` exhausts one of the same size under `semantics`:
/// the log's own rule is cumulative, and nobody it counts is left out.
bool counts_all_that_the_log_counted(const BudgetSemantics& semantics, const BudgetRegime& regime) {
  return semantics.how == How::cumulative &&
         (semantics.counts == CountedParty::both || regime.counts == CountedParty::agent);
}

}  // namespace

bool stopped_by_own_budget(const EpisodeFacts& episode, const BudgetRegime& regime) {
  if (!regime.enforced) return false;
  if (episode.termination == Termination::too_many_errors) return true;
  return episode.termination == Termination::unknown && !episode.success &&
         std::cmp_greater_equal(counted_errors(episode, regime.counts), *regime.enforced);
}

Counterfactual counterfactual(const EpisodeFacts& episode, const BudgetRegime& regime,
                              const BudgetSemantics& semantics,
                              const std::optional<ErrorSelector>& ignored) {
  UNMASK_CHECK(episode.excluded == Exclusion::none);
  Counterfactual result;
  result.lives_needed = stop_after(episode, semantics, ignored).lives_needed;
  if (!stopped_by_own_budget(episode, regime)) {
    result.beyond = episode.success ? Outcome::passed : Outcome::failed;
    return result;
  }
  result.beyond = Outcome::unknown;
  // The stop itself proves a count of at least K_obs, even where the log does not show every call.
  if (regime.enforced && !ignored && counts_all_that_the_log_counted(semantics, regime)) {
    const int fatal_at_zero = fatal_count(0, semantics.ends);
    result.lives_needed = std::max(result.lives_needed, *regime.enforced + 1 - fatal_at_zero);
  }
  return result;
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::failed:
      return "failed";
    case Outcome::passed:
      return "passed";
    case Outcome::unknown:
      return "unknown";
  }
  UNMASK_CHECK(false);
}

}  // namespace unmask
