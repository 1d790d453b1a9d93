#include "unmask/budget/budget_semantics.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "unmask/episode/log_header.h"

namespace unmask {

const std::array<BudgetSemantics, 16>& all_budget_semantics() {
  static const std::array<BudgetSemantics, 16> settings = [] {
    std::array<BudgetSemantics, 16> all;
    for (std::size_t i = 0; i < all.size(); ++i) {
      all.at(i) = {.counts = (i & 8U) == 0 ? CountedParty::both : CountedParty::agent,
                   .how = (i & 4U) == 0 ? How::cumulative : How::consecutive,
                   .tested = (i & 2U) == 0 ? Tested::turn : Tested::call,
                   .ends = (i & 1U) == 0 ? Ends::reach : Ends::exceed};
    }
    return all;
  }();
  return settings;
}

std::string_view name_of(CountedParty counts) {
  return counts == CountedParty::both ? "both" : "agent";
}

std::string_view name_of(How how) { return how == How::cumulative ? "cumulative" : "consecutive"; }

std::string_view name_of(Tested tested) { return tested == Tested::turn ? "turn" : "call"; }

std::string_view name_of(Ends ends) { return ends == Ends::reach ? "reach" : "exceed"; }

std::string name_of(const BudgetSemantics& semantics) {
  std::string name(name_of(semantics.counts));
  name.append("/").append(name_of(semantics.how));
  name.append("/").append(name_of(semantics.tested));
  name.append("/").append(name_of(semantics.ends));
  return name;
}

}  // namespace unmask
