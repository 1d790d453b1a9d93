#include "unmask/stats/multiple_comparisons.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "unmask/base/check.h"

namespace unmask::stats {
namespace {

// Positions of p from the smallest to the largest; equal ones in input order.
std::vector<std::size_t> ascending(std::span<const double> p) {
  for (const double value : p) UNMASK_CHECK(value >= 0.0 && value <= 1.0);
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  return order;
}

}  // namespace

std::vector<double> holm(std::span<const double> p) {
  std::vector<double> result(p.size());
  double largest = 0.0;
  std::size_t left = p.size();
  for (const std::size_t i : ascending(p)) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(left) * p[i]));
    result[i] = largest;
    --left;
  }
  return result;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<double> result(p.size());
  const std::vector<std::size_t> order = ascending(p);
  const auto n = static_cast<double>(p.size());
  double smallest = 1.0;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t i = order[rank - 1];
    smallest = std::min(smallest, p[i] * n / static_cast<double>(rank));
    result[i] = smallest;
  }
  return result;
}

std::vector<std::optional<double>> adjusted(std::span<const std::optional<double>> p,
                                            Correction correction) {
  std::vector<double> members;
  for (const std::optional<double>& value : p) {
    if (value.has_value()) members.push_back(*value);
  }
  const std::vector<double> corrected =
      correction == Correction::holm ? holm(members) : benjamini_hochberg(members);
  std::vector<std::optional<double>> result(p.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i].has_value()) result[i] = corrected[next++];
  }
  return result;
}

}  // namespace unmask::stats
