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

double tempered_log_sum_exp(std::span<const float> logits, double temperature) {
  const auto largest = static_cast<double>(*std::ranges::max_element(logits));
  double sum = 0.0;
  for (const float logit : logits) {
    sum += std::exp((static_cast<double>(logit) - largest) / temperature);
  }
  return largest / temperature + std::log(sum);
}

std::optional<double> divergence_from(std::span<const RankedToken> reference,
                                      std::span<const float> logits, double normaliser) {
  double divergence = 0.0;
  double rest_of_reference = 1.0;
  double rest = 1.0;
  for (const RankedToken& each : reference) {
    if (each.token < 0 || static_cast<std::size_t>(each.token) >= logits.size()) {
      return std::nullopt;
    }
    const double own =
        static_cast<double>(logits[static_cast<std::size_t>(each.token)]) - normaliser;
    if (!std::isfinite(own) || !std::isfinite(each.log_probability)) return std::nullopt;
    const double share = std::exp(each.log_probability);
    divergence += share * (each.log_probability - own);
    rest_of_reference -= share;
    rest -= std::exp(own);
  }
  // What is left of 1 is rounding where it is smaller than this.
  constexpr double kLeast = 1e-12;
  if (rest_of_reference > kLeast) {
    divergence += rest_of_reference * std::log(rest_of_reference / std::max(rest, kLeast));
  }
  return divergence;
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
