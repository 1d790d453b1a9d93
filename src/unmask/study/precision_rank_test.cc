#include "unmask/study/precision_rank.h"

#include <gtest/gtest.h>

#include "unmask/audit/audit.h"

namespace unmask {
namespace {

TEST(PrecisionRank, OrdersPrecisions) {
  EXPECT_GT(precision_rank("fp32"), precision_rank("bf16"));
  EXPECT_EQ(precision_rank("bf16"), precision_rank("FP16"));
  EXPECT_GT(precision_rank("bf16"), precision_rank("fp8"));
  EXPECT_GT(precision_rank("fp8"), precision_rank("int4"));
  EXPECT_GT(precision_rank("int4"), precision_rank("baseline"));
}

TEST(PrecisionRank, OfAnArmIsTheLargerOfNameAndLog) {
  ArmInput arm;
  arm.facts.name = "candidate";
  arm.facts.identity.precision = "bf16";
  EXPECT_EQ(precision_rank(arm), precision_rank("bf16"));
  arm.facts.name = "fp32";
  EXPECT_EQ(precision_rank(arm), precision_rank("fp32"));
}

}  // namespace
}  // namespace unmask
