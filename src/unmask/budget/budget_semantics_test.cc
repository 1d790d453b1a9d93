#include "unmask/budget/budget_semantics.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace unmask {
namespace {

TEST(BudgetSemantics, TheDefaultIsTheRuleOfTau2AndStandsFirst) {
  EXPECT_EQ(all_budget_semantics().front(), BudgetSemantics{});
  EXPECT_EQ(name_of(BudgetSemantics{}), "both/cumulative/turn/reach");
}

TEST(BudgetSemantics, TheListHoldsEverySettingOnce) {
  std::set<std::string> names;
  for (const BudgetSemantics& semantics : all_budget_semantics()) names.insert(name_of(semantics));
  EXPECT_EQ(names.size(), 16U);
  EXPECT_TRUE(names.contains("agent/consecutive/call/exceed"));
}

TEST(BudgetSemantics, ExceedAllowsOneMore) {
  EXPECT_EQ(fatal_count(2, Ends::reach), 2);
  EXPECT_EQ(fatal_count(2, Ends::exceed), 3);
}

}  // namespace
}  // namespace unmask
