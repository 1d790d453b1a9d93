#include "unmask/power/slip_rate.h"

#include <gtest/gtest.h>

namespace unmask::power {
namespace {

const synthetic::CellProcess kTelecom = synthetic::telecom_process("cell");

ProcessMoments at(double slip_rate) { return process_moments(kTelecom, {.slip_rate = slip_rate}); }

TEST(SlipRate, MeetsACallRate) {
  for (const double rate : {0.0, 0.0005, 0.02, 0.2, 0.38, 0.55}) {
    SCOPED_TRACE(rate);
    const std::optional<double> slip = slip_rate_for_call_rate(kTelecom, {}, rate);
    ASSERT_TRUE(slip.has_value());
    EXPECT_NEAR(at(*slip).errors_per_call(), rate, 1e-8);
  }
  EXPECT_FALSE(slip_rate_for_call_rate(kTelecom, {}, 0.95).has_value());
}

TEST(SlipRate, MeetsAnAmplification) {
  const synthetic::ArmProcess reference{.slip_rate = 0.0648};
  const double errors = at(0.0648).errors_per_episode;
  for (const double ratio : {0.5, 1.0, 1.25, 2.5, 4.0}) {
    SCOPED_TRACE(ratio);
    const std::optional<double> slip = slip_rate_for_amplification(kTelecom, reference, ratio);
    ASSERT_TRUE(slip.has_value());
    EXPECT_NEAR(at(*slip).errors_per_episode / errors, ratio, 1e-7);
  }
  EXPECT_EQ(slip_rate_for_amplification(kTelecom, reference, 1.0), 0.0648);
  const double largest = largest_amplification(kTelecom, reference);
  EXPECT_GT(largest, 4.0);
  EXPECT_LT(largest, 10.0);  // ten errors an episode are the budget's end
  EXPECT_FALSE(slip_rate_for_amplification(kTelecom, reference, 10.0).has_value());
}

TEST(SlipRate, MeetsAWideningOnItsRisingSide) {
  const synthetic::ArmProcess reference{.slip_rate = 0.0648};
  const auto widening = [&](double slip) {
    const ProcessMoments arm = at(slip);
    const ProcessMoments ref = at(0.0648);
    return (ref.score[1] - arm.score[1]) - (ref.score.back() - arm.score.back());
  };
  for (const double wanted : {0.01, 0.05, 0.148}) {
    SCOPED_TRACE(wanted);
    const std::optional<double> slip = slip_rate_for_widening(kTelecom, reference, 2, wanted);
    ASSERT_TRUE(slip.has_value());
    EXPECT_NEAR(widening(*slip), wanted, 1e-8);
    EXPECT_GT(*slip, 0.0648);
  }
  EXPECT_EQ(slip_rate_for_widening(kTelecom, reference, 2, 0.0), 0.0648);
  const double largest = largest_widening(kTelecom, reference, 2);
  EXPECT_TRUE(slip_rate_for_widening(kTelecom, reference, 2, 0.99 * largest).has_value());
  EXPECT_FALSE(slip_rate_for_widening(kTelecom, reference, 2, 1.05 * largest).has_value());
}

}  // namespace
}  // namespace unmask::power
