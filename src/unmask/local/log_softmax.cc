#include "unmask/local/log_softmax.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace unmask::local {

std::optional<double> log_sum_exp(std::span<const float> logits) {
  float largest = -std::numeric_limits<float>::infinity();
  for (const float logit : logits) {
    if (std::isnan(logit)) return std::nullopt;
    largest = std::max(largest, logit);
  }
  if (!std::isfinite(largest)) return std::nullopt;
  double sum = 0.0;
  for (const float logit : logits) {
    sum += std::exp(static_cast<double>(logit) - static_cast<double>(largest));
  }
  return static_cast<double>(largest) + std::log(sum);
}

std::vector<RankedToken> likeliest(std::span<const float> logits, double normaliser,
                                   std::size_t count) {
  std::vector<std::int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  const auto best = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::partial_sort(order.begin(), best, order.end(), [&](std::int32_t a, std::int32_t b) {
    const float left = logits[static_cast<std::size_t>(a)];
    const float right = logits[static_cast<std::size_t>(b)];
    return left != right ? left > right : a < b;
  });
  std::vector<RankedToken> ranked;
  for (auto token = order.begin(); token != best; ++token) {
    const float logit = logits[static_cast<std::size_t>(*token)];
    if (!std::isfinite(logit)) break;
    ranked.push_back({*token, static_cast<double>(logit) - normaliser});
  }
  return ranked;
}

std::int32_t draw(std::span<const float> logits, double temperature, double uniform) {
  const auto best = std::ranges::max_element(logits);
  const auto likeliest_token = static_cast<std::int32_t>(best - logits.begin());
  if (temperature <= 0.0) return likeliest_token;
  const auto weight = [&](float logit) {
    return std::exp((static_cast<double>(logit) - static_cast<double>(*best)) / temperature);
  };
  double sum = 0.0;
  for (const float logit : logits) sum += weight(logit);
  double left = uniform * sum;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double share = weight(logits[i]);
    if (left < share) return static_cast<std::int32_t>(i);
    left -= share;
  }
  return likeliest_token;  // rounding ate the last share
}

}  // namespace unmask::local
