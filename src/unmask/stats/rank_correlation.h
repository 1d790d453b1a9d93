#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "unmask/stats/resampling.h"

namespace unmask::stats {

inline constexpr std::size_t kFewestRanked = 4;        ///< names or cells that a correlation needs
inline constexpr std::size_t kExactPermutations = 10;  ///< up to 10! orders are all counted

/// Average ranks, 1 the smallest; ties share their mean rank. No NaN.
[[nodiscard]] std::vector<double> average_ranks(std::span<const double> values);

struct RankCorrelation {
  std::optional<double> spearman;
  std::optional<double> kendall_tau_b;
  std::size_t items = 0;
  std::string reason;  ///< 'fewer than 4 ...' or 'constant ...' where empty

  bool operator==(const RankCorrelation&) const = default;
};

/// Spearman's rho with average ranks and Kendall's tau-b of pairs (x_i, y_i). Null with fewer than
/// four pairs, or where x or y is constant.
[[nodiscard]] RankCorrelation rank_correlation(std::span<const double> x,
                                               std::span<const double> y);

/// Spearman's rho alone; empty where rank_correlation has none.
[[nodiscard]] std::optional<double> spearman(std::span<const double> x, std::span<const double> y);

struct PermutationTest {
  std::optional<double> p;
  bool exact = false;
  std::string reason;

  bool operator==(const PermutationTest&) const = default;
};

/// Two-sided permutation p of Spearman's rho: share of the orders of y with |rho| at least the
/// observed one (exact on doubled ranks, which are integers). All n! orders for n <= 10, else
/// (1 + #)/(1 + B) random ones. Null where rho is. STATISTICS, "Over cells".
[[nodiscard]] PermutationTest spearman_permutation_test(std::span<const double> x,
                                                        std::span<const double> y,
                                                        const Resampling& random = {});

}  // namespace unmask::stats
