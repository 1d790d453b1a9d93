#pragma once

#include <optional>
#include <span>
#include <vector>

namespace unmask::stats {

enum class Correction { holm, benjamini_hochberg };

/// Adjusted p of one family, in input order, each at most 1. An empty p (not tested) is no member
/// of the family: it stays empty and counts for nothing. Holm 1979; Benjamini and Hochberg 1995.
/// STATISTICS, "Families".
[[nodiscard]] std::vector<std::optional<double>> adjusted(std::span<const std::optional<double>> p,
                                                          Correction correction = Correction::holm);

[[nodiscard]] std::vector<double> holm(std::span<const double> p);
[[nodiscard]] std::vector<double> benjamini_hochberg(std::span<const double> p);

}  // namespace unmask::stats
