#include "unmask/stats/auc.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "unmask/stats/rank_correlation.h"

namespace unmask::stats {

std::optional<double> auc(std::span<const double> positives, std::span<const double> negatives) {
  if (positives.empty() || negatives.empty()) return std::nullopt;
  std::vector<double> all(positives.begin(), positives.end());
  all.insert(all.end(), negatives.begin(), negatives.end());
  const std::vector<double> ranks = average_ranks(all);
  double sum = 0.0;
  for (std::size_t i = 0; i < positives.size(); ++i) sum += ranks[i];
  const auto n = static_cast<double>(positives.size());
  return (sum - n * (n + 1.0) / 2.0) / (n * static_cast<double>(negatives.size()));
}

}  // namespace unmask::stats
