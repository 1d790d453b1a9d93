#include "unmask/local/log_softmax.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/rng.h"

namespace unmask::local {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(LogSoftmaxTest, NormalisesWithoutOverflow) {
  const std::vector<float> logits = {1000.0F, 1000.0F, kNever};
  const std::optional<double> normaliser = log_sum_exp(logits);
  ASSERT_TRUE(normaliser);
  EXPECT_NEAR(*normaliser, 1000.0 + std::log(2.0), 1e-12);
}

TEST(LogSoftmaxTest, RefusesWhatIsNoNumber) {
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(log_sum_exp(std::vector<float>{}));
  EXPECT_FALSE(log_sum_exp(std::vector<float>{1.0F, kNan}));
  EXPECT_FALSE(log_sum_exp(std::vector<float>{kNan, 1.0F}));
  EXPECT_FALSE(log_sum_exp(std::vector<float>{1.0F, infinite}));
  EXPECT_FALSE(log_sum_exp(std::vector<float>{kNever, kNever}));
}

TEST(LogSoftmaxTest, RanksTheLikeliest) {
  const std::vector<float> logits = {1.0F, 3.0F, kNever, 3.0F};
  const double normaliser = log_sum_exp(logits).value();
  const std::vector<RankedToken> ranked = likeliest(logits, normaliser, 9);
  ASSERT_EQ(ranked.size(), 3U);
  EXPECT_EQ(ranked[0].token, 1);
  EXPECT_EQ(ranked[1].token, 3);
  EXPECT_EQ(ranked[2].token, 0);
  double sum = 0.0;
  for (const RankedToken& each : ranked) sum += std::exp(each.log_probability);
  EXPECT_NEAR(sum, 1.0, 1e-12);
  EXPECT_EQ(likeliest(logits, normaliser, 1).size(), 1U);
  EXPECT_TRUE(likeliest(logits, normaliser, 0).empty());
}

TEST(LogSoftmaxTest, DrawsByTheSoftmax) {
  const std::vector<float> logits = {0.0F, std::log(3.0F), kNever};
  EXPECT_EQ(draw(logits, 0.0, 0.0), 1);  // greedy
  EXPECT_EQ(draw(logits, 1.0, 0.0), 0);
  EXPECT_EQ(draw(logits, 1.0, 0.2499), 0);
  EXPECT_EQ(draw(logits, 1.0, 0.2501), 1);
  EXPECT_EQ(draw(logits, 1.0, 0.99999999), 1);
  EXPECT_EQ(draw(std::vector<float>{2.0F, 2.0F}, 0.0, 0.9), 0);  // a tie: the first
  // At temperature 1/2 the odds are squared: 1 to 9.
  Rng random(3, "draw");
  std::array<int, 3> counts{};
  constexpr int kDraws = 20'000;
  for (int i = 0; i < kDraws; ++i) {
    ++counts[static_cast<std::size_t>(draw(logits, 0.5, random.uniform()))];
  }
  EXPECT_NEAR(counts[0] / static_cast<double>(kDraws), 0.1, 0.01);
  EXPECT_EQ(counts[2], 0);
}

}  // namespace
}  // namespace unmask::local
