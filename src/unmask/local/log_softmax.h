#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace unmask::local {

/// A token of the vocabulary and its natural log-probability.
struct RankedToken {
  std::int32_t token = 0;
  double log_probability = 0.0;

  bool operator==(const RankedToken&) const = default;
};

/// Logarithm of the sum of exp over `logits`, to be subtracted from each; nullopt if some logit is
/// NaN or plus infinity, or none is finite. Minus infinity stands for a token that can't come.
[[nodiscard]] std::optional<double> log_sum_exp(std::span<const float> logits);

/// The same of logits / temperature. Precondition: log_sum_exp has a value, temperature > 0.
[[nodiscard]] double tempered_log_sum_exp(std::span<const float> logits, double temperature);

/// Kullback-Leibler divergence, in nats, of the softmax of `logits` from a reference distribution
/// of which the likeliest tokens are known, over these and one class for the rest: sum of
/// p ln(p / q), p the reference's. At least 0 but for rounding. nullopt if a token is not among the
/// logits or can't come. `normaliser`: of log_sum_exp.
[[nodiscard]] std::optional<double> divergence_from(std::span<const RankedToken> reference,
                                                    std::span<const float> logits,
                                                    double normaliser);

/// The `count` likeliest tokens, best first, of equal ones the lower number first; fewer where the
/// others can't come. `normaliser`: of log_sum_exp.
[[nodiscard]] std::vector<RankedToken> likeliest(std::span<const float> logits, double normaliser,
                                                 std::size_t count);

/// The token that `uniform` (in [0, 1)) draws from the softmax of logits / temperature, by the
/// inverse of the cumulative sum in the tokens' order. Temperature 0: the likeliest, of equal ones
/// the first. Precondition: log_sum_exp has a value, temperature >= 0.
[[nodiscard]] std::int32_t draw(std::span<const float> logits, double temperature, double uniform);

}  // namespace unmask::local
