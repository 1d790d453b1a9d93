#include "unmask/margins/noise.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/moments.h"
#include "unmask/stats/special.h"

namespace unmask::margins {
namespace {

std::optional<double> deviation(double count, double sum, double sum_of_squares) {
  if (count < 2.0) return std::nullopt;
  const double variance = (sum_of_squares - sum * sum / count) / (count - 1.0);
  const double sd = std::sqrt(std::max(0.0, variance));
  return sd < stats::kSmallestSe ? 0.0 : sd;
}

NoiseSums sums_within(std::span<const PairedMargin> decisions, double window,
                      const NoiseOrigin& origin) {
  NoiseSums sums;
  for (const PairedMargin& decision : decisions) {
    if (std::abs(decision.reference) <= window)
      sums.add(decision.reference - origin.margin, decision.error() - origin.error);
  }
  return sums;
}

}  // namespace

void NoiseSums::add(double margin_from_origin, double error_from_origin) {
  count += 1.0;
  error += error_from_origin;
  error_squared += error_from_origin * error_from_origin;
  margin += margin_from_origin;
  margin_squared += margin_from_origin * margin_from_origin;
  product += margin_from_origin * error_from_origin;
}

NoiseSums& NoiseSums::operator+=(const NoiseSums& other) {
  count += other.count;
  error += other.error;
  error_squared += other.error_squared;
  margin += other.margin;
  margin_squared += other.margin_squared;
  product += other.product;
  return *this;
}

NoiseSums& NoiseSums::operator-=(const NoiseSums& other) {
  count -= other.count;
  error -= other.error;
  error_squared -= other.error_squared;
  margin -= other.margin;
  margin_squared -= other.margin_squared;
  product -= other.product;
  return *this;
}

NoiseOrigin noise_origin(std::span<const PairedMargin> decisions) {
  if (decisions.empty()) return {};
  std::vector<double> margins;
  std::vector<double> errors;
  margins.reserve(decisions.size());
  errors.reserve(decisions.size());
  for (const PairedMargin& decision : decisions) {
    margins.push_back(decision.reference);
    errors.push_back(decision.error());
  }
  return {.margin = stats::moments_of(margins).mean, .error = stats::moments_of(errors).mean};
}

std::optional<double> noise_window(std::span<const PairedMargin> decisions) {
  const NoiseOrigin origin = noise_origin(decisions);
  NoiseSums sums;
  for (const PairedMargin& decision : decisions) sums.add(0.0, decision.error() - origin.error);
  const std::optional<double> sd = deviation(sums.count, sums.error, sums.error_squared);
  return sd ? std::optional(2.0 * *sd) : std::nullopt;
}

Noise noise_of(const NoiseSums& sums, const NoiseOrigin& origin) {
  Noise noise;
  if (sums.count < 1.0) return noise;
  noise.bias = origin.error + sums.error / sums.count;
  noise.sigma = deviation(sums.count, sums.error, sums.error_squared);
  const std::optional<double> spread = deviation(sums.count, sums.margin, sums.margin_squared);
  if (spread && *spread > 0.0) {
    noise.slope = (sums.product - sums.margin * sums.error / sums.count) /
                  (*spread * *spread * (sums.count - 1.0));
  }
  return noise;
}

Noise noise_of(std::span<const PairedMargin> decisions, double window) {
  const NoiseOrigin origin = noise_origin(decisions);
  return noise_of(sums_within(decisions, window, origin), origin);
}

double flip_probability(double m_ref, double bias, double sigma, double window) {
  UNMASK_CHECK(sigma > 0.0);
  if (std::abs(m_ref) > window) return 0.0;
  const double z = (m_ref + bias) / sigma;
  return stats::normal_cdf(m_ref > 0.0 ? -z : z);
}

double flip_share(double m_ref, std::span<const double> sorted_errors, double window) {
  UNMASK_CHECK(!sorted_errors.empty());
  if (std::abs(m_ref) > window) return 0.0;
  const auto to_bad = std::ranges::upper_bound(sorted_errors, -m_ref) - sorted_errors.begin();
  const double share = static_cast<double>(to_bad) / static_cast<double>(sorted_errors.size());
  return m_ref > 0.0 ? share : 1.0 - share;
}

}  // namespace unmask::margins
