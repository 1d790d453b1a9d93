#pragma once

#include <optional>
#include <span>

namespace unmask::stats {

/// Probability that a value of `positives` lies above one of `negatives`, ties half: the area under
/// the receiver operating characteristic, the Mann-Whitney statistic over the number of pairs
/// (Hanley and McNeil 1982). Within [0, 1]; empty if either has none. No NaN.
[[nodiscard]] std::optional<double> auc(std::span<const double> positives,
                                        std::span<const double> negatives);

}  // namespace unmask::stats
