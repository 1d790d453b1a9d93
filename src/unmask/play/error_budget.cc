#include "unmask/play/error_budget.h"

#include "unmask/budget/budget_semantics.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/log_header.h"

namespace unmask::play {

void ErrorBudget::count(Party party, bool failed) {
  if (failed) ++errors_;
  if (semantics_.counts == CountedParty::agent && party != Party::agent) return;
  if (failed) {
    ++counted_;
  } else if (semantics_.how == How::consecutive) {
    counted_ = 0;
  }
}

}  // namespace unmask::play
