#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

/// The noise between the margins of two arms, and the flips that it predicts (STATISTICS,
/// "Margins").
namespace unmask::margins {

/// Margins of a decision in both arms, in nats; `task` numbers the clusters.
struct PairedMargin {
  std::size_t task = 0;
  double reference = 0.0, arm = 0.0;

  /// e = m_arm - m_ref.
  [[nodiscard]] double error() const { return arm - reference; }
  /// Above 0 in one arm and not in the other.
  [[nodiscard]] bool flipped() const { return (reference > 0) != (arm > 0); }

  bool operator==(const PairedMargin&) const = default;
};

/// w = 2 SD(e) over all decisions (SD with n - 1). Empty with fewer than two.
[[nodiscard]] std::optional<double> noise_window(std::span<const PairedMargin> decisions);

/// Sums over decisions, which are added and taken away by task. Values are taken from an origin, so
/// that little is lost where all lie far from 0.
struct NoiseSums {
  double count = 0.0;
  double error = 0.0, error_squared = 0.0;
  double margin = 0.0, margin_squared = 0.0, product = 0.0;

  void add(double margin_from_origin, double error_from_origin);
  NoiseSums& operator+=(const NoiseSums& other);
  NoiseSums& operator-=(const NoiseSums& other);
};

struct NoiseOrigin {
  double margin = 0.0, error = 0.0;
};

/// Where the sums of a group start: its mean margin and error.
[[nodiscard]] NoiseOrigin noise_origin(std::span<const PairedMargin> decisions);

struct Noise {
  std::optional<double> bias;   ///< mean of e; empty without decisions
  std::optional<double> sigma;  ///< SD of e, n - 1; 0 below 1e-12; empty with fewer than two
  std::optional<double> slope;  ///< of e on m_ref, least squares; empty where m_ref is constant

  bool operator==(const Noise&) const = default;
};
[[nodiscard]] Noise noise_of(const NoiseSums& sums, const NoiseOrigin& origin);

/// Of the decisions with |m_ref| <= window, which may be infinite.
[[nodiscard]] Noise noise_of(std::span<const PairedMargin> decisions, double window);

/// Probability that a decision flips if its error is normal: Phi(-(m_ref + b)/s) for a good one
/// (m_ref > 0), Phi((m_ref + b)/s) for a bad one, 0 where |m_ref| > window. sigma > 0.
[[nodiscard]] double flip_probability(double m_ref, double bias, double sigma, double window);

/// The same with the errors seen, sorted upwards and not empty: the share that takes the margin to
/// the other side.
[[nodiscard]] double flip_share(double m_ref, std::span<const double> sorted_errors, double window);

}  // namespace unmask::margins
