#pragma once

#include "unmask/budget/budget_semantics.h"
#include "unmask/episode/channel.h"

namespace unmask::play {

/// Counts failed calls of an episode against its budget, under any setting of the four switches.
class ErrorBudget {
 public:
  ErrorBudget(int max_errors, BudgetSemantics semantics)
      : max_errors_(max_errors), semantics_(semantics) {}

  /// Takes note of a call of `party`.
  void count(Party party, bool failed);
  /// Whether the count, as it stands, ends the episode.
  [[nodiscard]] bool is_exhausted() const {
    return counted_ >= fatal_count(max_errors_, semantics_.ends);
  }
  /// Whether a message's remaining calls are not to be executed.
  [[nodiscard]] bool stops_within_message() const {
    return semantics_.tested == Tested::call && is_exhausted();
  }
  /// The count that the budget is compared with: under `consecutive` the present row.
  [[nodiscard]] int counted() const { return counted_; }
  /// All failed calls of both parties, whatever the switches: tau2-bench's num_errors.
  [[nodiscard]] int errors() const { return errors_; }

 private:
  int max_errors_ = 0;
  BudgetSemantics semantics_;
  int counted_ = 0;
  int errors_ = 0;
};

}  // namespace unmask::play
