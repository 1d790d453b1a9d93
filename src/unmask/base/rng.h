#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace unmask {

/// Default seed of every command.
inline constexpr std::uint64_t kDefaultSeed = 20260731;

/// A counter-based random stream: Philox 4x32-10 (Salmon et al. 2011) keyed by (seed, purpose,
/// index). Streams with different keys are independent, so no figure depends on threads or order.
/// Every distribution here is our own: those of the standard library differ between libraries.
class Rng {
 public:
  /// `purpose` names what the numbers are for ("sign_flip"); `index` tells replicates apart.
  Rng(std::uint64_t seed, std::string_view purpose, std::uint64_t index = 0);

  [[nodiscard]] std::uint32_t next_u32();
  [[nodiscard]] std::uint64_t next_u64();
  /// The next numbers of the stream, the same as so many calls of next_u32, but faster.
  void fill(std::span<std::uint32_t> numbers);
  /// Uniform in [0, 1), 53 random bits.
  [[nodiscard]] double uniform();
  /// Uniform in 0 .. bound-1, without bias; `bound` >= 1.
  [[nodiscard]] std::uint32_t below(std::uint32_t bound);
  /// Draws `draws` times as below(counts.size()) does and adds to `counts` how often each came; the
  /// same numbers, but faster.
  void tally(std::size_t draws, std::span<std::uint32_t> counts);
  [[nodiscard]] bool bernoulli(double probability);
  /// Standard normal (Box-Muller, both halves used).
  [[nodiscard]] double normal();
  /// Gamma with `shape` > 0 and `scale` > 0 (Marsaglia and Tsang 2000).
  [[nodiscard]] double gamma(double shape, double scale);
  /// Beta with both parameters > 0.
  [[nodiscard]] double beta(double a, double b);
  /// Poisson with `mean` >= 0 (inversion; meant for means below some hundreds).
  [[nodiscard]] std::uint32_t poisson(double mean);
  /// Index drawn with probability proportional to `weights` (all >= 0, sum > 0).
  [[nodiscard]] std::size_t weighted(std::span<const double> weights);

  /// Fisher-Yates.
  template <typename T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
    }
  }

 private:
  void refill();
  std::array<std::uint32_t, 4> next_block();

  std::array<std::uint32_t, 2> key_{};
  std::array<std::uint32_t, 4> counter_{};
  std::array<std::uint32_t, 4> block_{};
  unsigned used_ = 4;
  double spare_normal_ = 0.0;
  bool has_spare_normal_ = false;
};

}  // namespace unmask
