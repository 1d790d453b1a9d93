#pragma once

#include <cstddef>
#include <cstdint>

#include "unmask/base/rng.h"

namespace unmask::stats {

inline constexpr std::size_t kTestReplicates = 99'999;  ///< random sign vectors, permutations
inline constexpr std::size_t kBootstrapReplicates = 2'000;
inline constexpr std::size_t kCeilingReplicates = 1'000;  ///< label swaps of the noise ceiling

/// Which random numbers a figure uses: the stream (seed, purpose of the function, index). Give each
/// figure of a study its own `index`, so that no two share numbers; equal keys give equal results
/// on any thread (STATISTICS, "Randomness").
struct Resampling {
  std::uint64_t seed = kDefaultSeed;
  std::uint64_t index = 0;
  std::size_t replicates = kTestReplicates;  ///< >= 1

  bool operator==(const Resampling&) const = default;
};

}  // namespace unmask::stats
