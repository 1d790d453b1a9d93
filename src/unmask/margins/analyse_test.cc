#include "unmask/margins/analyse.h"

#include <gtest/gtest.h>

namespace unmask::margins {
namespace {

TEST(Analyse, OfNothingSaysSo) {
  EXPECT_EQ(analyse({}).reason, "no arm beside the reference");
  ScoredDecisions scored;
  scored.arms = {{.name = "bf16"}, {.name = "int4"}};
  EXPECT_EQ(analyse(scored).reason, "no decision");
}

}  // namespace
}  // namespace unmask::margins
