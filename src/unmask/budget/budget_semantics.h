#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "unmask/episode/log_header.h"

namespace unmask {

/// How failed calls add up towards the budget.
enum class How : std::uint8_t {
  cumulative,   ///< all failed calls of the episode (tau2-bench)
  consecutive,  ///< failed calls in a row; a successful call of a counted party ends the row
};

/// When the count is compared with the budget.
enum class Tested : std::uint8_t {
  turn,  ///< after all calls of one message have run (tau2-bench)
  call,  ///< after each call
};

/// What ends an episode with budget K.
enum class Ends : std::uint8_t {
  reach,   ///< the K-th counted failure (tau2-bench)
  exceed,  ///< the one after it: K failures are allowed (the paper's words); reach K+1
};

/// What "an error budget of K" means (DESIGN, "Budget semantics"). The default is tau2-bench's own
/// rule: both parties' failures, added up, tested once a message is done, the K-th one ends it.
struct BudgetSemantics {
  CountedParty counts = CountedParty::both;
  How how = How::cumulative;
  Tested tested = Tested::turn;
  Ends ends = Ends::reach;

  bool operator==(const BudgetSemantics&) const = default;
};

/// All settings of the four switches, the default first; the order is fixed.
[[nodiscard]] const std::array<BudgetSemantics, 16>& all_budget_semantics();

/// The least count that ends an episode whose budget is `budget`: K under reach, K+1 under exceed.
[[nodiscard]] constexpr int fatal_count(int budget, Ends ends) {
  return ends == Ends::reach ? budget : budget + 1;
}

/// snake_case, as in JSON keys, CSV and flags.
[[nodiscard]] std::string_view name_of(CountedParty counts);
[[nodiscard]] std::string_view name_of(How how);
[[nodiscard]] std::string_view name_of(Tested tested);
[[nodiscard]] std::string_view name_of(Ends ends);
/// The four switches with a slash between them: `both/cumulative/turn/reach`.
[[nodiscard]] std::string name_of(const BudgetSemantics& semantics);

}  // namespace unmask
