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
std::vector<std::int64_t> ranks_by_sorting(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
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

// The same of counts below `limit`, in linear time.
std::vector<std::int64_t> ranks_by_counting(std::span<const double> values, std::size_t limit) {
  std::vector<std::int64_t> of(limit);
  for (const double value : values) ++of[static_cast<std::size_t>(value)];
  std::int64_t below = 0;
  for (std::int64_t& count : of) {
    const std::int64_t end = below + count;
    count = below + 1 + end;
    below = end;
  }
  std::vector<std::int64_t> ranks(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ranks[i] = of[static_cast<std::size_t>(values[i])];
  }
  return ranks;
}

std::vector<std::int64_t> doubled_ranks(std::span<const double> values) {
  const auto limit = static_cast<double>(values.size());
  bool are_small_counts = true;
  for (const double value : values) {
    UNMASK_CHECK(!std::isnan(value));
    are_small_counts =
        are_small_counts && value >= 0.0 && value < limit && value == std::floor(value);
  }
  return are_small_counts ? ranks_by_counting(values, values.size()) : ranks_by_sorting(values);
}

std::int64_t dot(std::span<const std::int64_t> x, std::span<const std::int64_t> y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), std::int64_t{0});
}

// n^2 times the covariance of two rank vectors of the same sum.
std::int64_t centred(std::int64_t product, std::int64_t sum, std::size_t n) {
  return static_cast<std::int64_t>(n) * product - sum * sum;
}

// Pairs of equal neighbours in a sorted range: of a run of n, n (n - 1) / 2.
template <typename Range, typename Same>
std::int64_t tied_pairs(const Range& sorted, const Same& same) {
  std::int64_t pairs = 0;
  std::int64_t run = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    run = same(sorted[i - 1], sorted[i]) ? run + 1 : 0;
    pairs += run;
  }
  return pairs;
}

// Pairs of `values` that stand in falling order; sorts them. Merge sort, bottom up.
std::int64_t sort_counting_inversions(std::vector<double>& values) {
  std::int64_t inversions = 0;
  std::vector<double> merged(values.size());
  for (std::size_t width = 1; width < values.size(); width *= 2) {
    for (std::size_t start = 0; start < values.size(); start += 2 * width) {
      const std::size_t middle = std::min(start + width, values.size());
      const std::size_t end = std::min(start + 2 * width, values.size());
      std::size_t left = start;
      std::size_t right = middle;
      for (std::size_t to = start; to < end; ++to) {
        if (right == end || (left < middle && values[left] <= values[right])) {
          merged[to] = values[left++];
        } else {
          inversions += static_cast<std::int64_t>(middle - left);
          merged[to] = values[right++];
        }
      }
    }
    values.swap(merged);
  }
  return inversions;
}

// Source: Knight 1966, J. Am. Stat. Assoc. 61: sorted by x, the discordant pairs are the inversions
// of y. Pair counts are whole numbers, so nothing is rounded before the quotient.
double kendall_tau_b(std::span<const double> x, std::span<const double> y) {
  struct Point {
    double x;
    double y;
  };
  std::vector<Point> points(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) points[i] = {x[i], y[i]};
  std::ranges::sort(
      points, [](const Point& a, const Point& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  const std::int64_t tied_x =
      tied_pairs(points, [](const Point& a, const Point& b) { return a.x == b.x; });
  const std::int64_t tied_both =
      tied_pairs(points, [](const Point& a, const Point& b) { return a.x == b.x && a.y == b.y; });
  std::vector<double> by_x(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) by_x[i] = points[i].y;
  const std::int64_t discordant = sort_counting_inversions(by_x);
  const std::int64_t tied_y = tied_pairs(by_x, [](double a, double b) { return a == b; });
  const auto n = static_cast<std::int64_t>(x.size());
  const std::int64_t pairs = n * (n - 1) / 2;
  const std::int64_t score = pairs - tied_x - tied_y + tied_both - 2 * discordant;
  return static_cast<double>(score) /
         std::sqrt(static_cast<double>(pairs - tied_x) * static_cast<double>(pairs - tied_y));
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
