#include "unmask/stats/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/rng.h"
#include "unmask/stats/resampling.h"

namespace unmask::stats {
namespace {

// Twice the average ranks: whole numbers, so that sums and ties are exact.
std::vector<std::int64_t> doubled_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const double value : values) UNMASK_CHECK(!std::isnan(value));
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<std::int64_t> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    // Ranks first+1 .. end share their mean.
    for (std::size_t i = first; i < end; ++i) {
      ranks[order[i]] = static_cast<std::int64_t>(first + 1 + end);
    }
    first = end;
  }
  return ranks;
}

std::int64_t dot(std::span<const std::int64_t> x, std::span<const std::int64_t> y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), std::int64_t{0});
}

// n^2 times the covariance of two rank vectors of the same sum.
std::int64_t centred(std::int64_t product, std::int64_t sum, std::size_t n) {
  return static_cast<std::int64_t>(n) * product - sum * sum;
}

double kendall_tau_b(std::span<const double> x, std::span<const double> y) {
  std::int64_t score = 0;
  std::int64_t untied_x = 0;
  std::int64_t untied_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int sign_x = (x[i] > x[j] ? 1 : 0) - (x[i] < x[j] ? 1 : 0);
      const int sign_y = (y[i] > y[j] ? 1 : 0) - (y[i] < y[j] ? 1 : 0);
      score += std::int64_t{sign_x} * sign_y;
      untied_x += sign_x != 0 ? 1 : 0;
      untied_y += sign_y != 0 ? 1 : 0;
    }
  }
  return static_cast<double>(score) /
         std::sqrt(static_cast<double>(untied_x) * static_cast<double>(untied_y));
}

bool constant(std::span<const double> values) {
  return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
}

// Why there is no correlation; empty if there is one.
std::string obstacle(std::span<const double> x, std::span<const double> y) {
  UNMASK_CHECK(x.size() == y.size());
  if (x.size() < kFewestRanked) return "fewer than 4 values to rank";
  if (constant(x) || constant(y)) return "constant values";
  return {};
}

}  // namespace

std::vector<double> average_ranks(std::span<const double> values) {
  std::vector<double> ranks;
  ranks.reserve(values.size());
  for (const std::int64_t rank : doubled_ranks(values)) {
    ranks.push_back(static_cast<double>(rank) / 2.0);
  }
  return ranks;
}

std::optional<double> spearman(std::span<const double> x, std::span<const double> y) {
  if (!obstacle(x, y).empty()) return std::nullopt;
  const std::vector<std::int64_t> ranks_x = doubled_ranks(x);
  const std::vector<std::int64_t> ranks_y = doubled_ranks(y);
  const std::int64_t sum = std::accumulate(ranks_x.begin(), ranks_x.end(), std::int64_t{0});
  const auto of = [&](const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
    return static_cast<double>(centred(dot(a, b), sum, x.size()));
  };
  return of(ranks_x, ranks_y) / std::sqrt(of(ranks_x, ranks_x)) / std::sqrt(of(ranks_y, ranks_y));
}

RankCorrelation rank_correlation(std::span<const double> x, std::span<const double> y) {
  RankCorrelation result{.items = x.size(), .reason = obstacle(x, y)};
  if (!result.reason.empty()) return result;
  result.spearman = spearman(x, y);
  result.kendall_tau_b = kendall_tau_b(x, y);
  return result;
}

PermutationTest spearman_permutation_test(std::span<const double> x, std::span<const double> y,
                                          const Resampling& random) {
  PermutationTest test{.reason = obstacle(x, y)};
  if (!test.reason.empty()) return test;
  const std::vector<std::int64_t> ranks_x = doubled_ranks(x);
  std::vector<std::int64_t> ranks_y = doubled_ranks(y);
  const std::int64_t sum = std::accumulate(ranks_x.begin(), ranks_x.end(), std::int64_t{0});
  const auto strength = [&] { return std::abs(centred(dot(ranks_x, ranks_y), sum, x.size())); };
  const std::int64_t observed = strength();
  std::size_t reached = 0;
  test.exact = x.size() <= kExactPermutations;
  if (test.exact) {
    // Orders that differ only among ties count once here; each stands for equally many.
    std::size_t orders = 0;
    std::ranges::sort(ranks_y);
    do {
      ++orders;
      if (strength() >= observed) ++reached;
    } while (std::ranges::next_permutation(ranks_y).found);
    test.p = static_cast<double>(reached) / static_cast<double>(orders);
    return test;
  }
  UNMASK_CHECK(random.replicates >= 1);
  Rng rng(random.seed, "permutation", random.index);
  for (std::size_t replicate = 0; replicate < random.replicates; ++replicate) {
    rng.shuffle(std::span(ranks_y));
    if (strength() >= observed) ++reached;
  }
  test.p = (1.0 + static_cast<double>(reached)) / (1.0 + static_cast<double>(random.replicates));
  return test;
}

}  // namespace unmask::stats
