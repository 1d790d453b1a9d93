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

TEST(LogSoftmaxTest, TemperatureDividesLogits) {
  const std::vector<float> logits = {0.0F, std::log(3.0F), kNever};
  EXPECT_NEAR(tempered_log_sum_exp(logits, 0.5), std::log(10.0), 1e-6);
  EXPECT_NEAR(tempered_log_sum_exp(logits, 2.0), std::log(1.0 + std::sqrt(3.0)), 1e-6);
  EXPECT_EQ(tempered_log_sum_exp(logits, 1.0), log_sum_exp(logits).value());
  EXPECT_NEAR(tempered_log_sum_exp(std::vector<float>{900.0F, 0.0F}, 0.5), 1800.0, 1e-9);
}

// Python: sum(p * log(p / q) for p, q in ...) of the classes that are written beside each.
TEST(LogSoftmaxTest, DivergenceIsOverTheReferencesTokensAndTheRest) {
  const std::vector<float> logits = {std::log(0.5F), std::log(0.25F), std::log(0.125F),
                                     std::log(0.125F)};
  const double normaliser = log_sum_exp(logits).value();
  const auto token = [](std::int32_t number, double share) {
    return RankedToken{number, std::log(share)};
  };
  const auto divergence = [&](const std::vector<RankedToken>& reference) {
    return divergence_from(reference, logits, normaliser);
  };
  // .7 .2 .1 against .25 .5 .25; the whole of it, 0 log 0 being 0; nothing known; the same.
  EXPECT_NEAR(divergence({token(1, 0.7), token(0, 0.2)}).value(), 0.44584637246456416, 1e-7);
  EXPECT_NEAR(divergence({token(2, 1.0)}).value(), 2.0794415416798357, 1e-7);
  EXPECT_NEAR(divergence({}).value(), 0.0, 1e-12);
  EXPECT_NEAR(divergence({token(0, 0.5)}).value(), 0.0, 1e-7);
  EXPECT_FALSE(divergence({token(4, 0.5)}));
  EXPECT_FALSE(divergence({token(-1, 0.5)}));
  EXPECT_FALSE(divergence_from(std::vector<RankedToken>{token(2, 0.5)},
                               std::vector<float>{0.0F, 0.0F, kNever}, std::log(2.0)));
}

}  // namespace
}  // namespace unmask::local
