#include "unmask/base/rng.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <Random123/philox.h>

#include "unmask/base/check.h"

namespace unmask {
namespace {

// FNV-1a, then a mixing step (SplitMix64): spreads short purpose names over the key space.
std::uint64_t hash_name(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  hash ^= hash >> 30U;
  hash *= 0xbf58476d1ce4e5b9ULL;
  hash ^= hash >> 27U;
  hash *= 0x94d049bb133111ebULL;
  return hash ^ (hash >> 31U);
}

constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32U); }

}  // namespace

// The 64-bit key is (seed, purpose) mixed; the index sits in the upper half of the 128-bit counter,
// the position in the lower, so that streams of one purpose can't overlap before 2^64 blocks.
Rng::Rng(std::uint64_t seed, std::string_view purpose, std::uint64_t index) {
  const std::uint64_t key = seed ^ hash_name(purpose);
  key_ = {low(key), high(key)};
  counter_ = {0, 0, low(index), high(index)};
}

inline std::array<std::uint32_t, 4> Rng::next_block() {
  const r123::Philox4x32 generate;
  const r123::Philox4x32::ctr_type counter = {{counter_[0], counter_[1], counter_[2], counter_[3]}};
  const r123::Philox4x32::key_type key = {{key_[0], key_[1]}};
  const r123::Philox4x32::ctr_type block = generate(counter, key);
  if (++counter_[0] == 0) ++counter_[1];
  return {block[0], block[1], block[2], block[3]};
}

void Rng::refill() {
  block_ = next_block();
  used_ = 0;
}

void Rng::fill(std::span<std::uint32_t> numbers) {
  std::size_t at = 0;
  while (at < numbers.size() && used_ < block_.size()) numbers[at++] = block_[used_++];
  // Whole blocks: they don't depend on each other, so the processor works on several at once.
  for (; numbers.size() - at >= block_.size(); at += block_.size()) {
    const std::array<std::uint32_t, 4> block = next_block();
    std::ranges::copy(block, numbers.begin() + static_cast<std::ptrdiff_t>(at));
  }
  while (at < numbers.size()) numbers[at++] = next_u32();
}

void Rng::tally(std::size_t draws, std::span<std::uint32_t> counts) {
  const auto bound = static_cast<std::uint32_t>(counts.size());
  UNMASK_CHECK(bound > 0);
  const std::uint32_t threshold = (0U - bound) % bound;
  std::array<std::uint32_t, 64> numbers{};
  while (draws > 0) {
    const std::span<std::uint32_t> some = std::span(numbers).first(std::min(draws, numbers.size()));
    fill(some);
    for (const std::uint32_t number : some) {
      const std::uint64_t product = static_cast<std::uint64_t>(number) * bound;
      if (low(product) < threshold) continue;  // rejected, as in `below`
      ++counts[high(product)];
      --draws;
    }
  }
}

std::uint32_t Rng::next_u32() {
  if (used_ == block_.size()) refill();
  return block_[used_++];
}

std::uint64_t Rng::next_u64() {
  const std::uint64_t upper = next_u32();
  return (upper << 32U) | next_u32();
}

double Rng::uniform() { return static_cast<double>(next_u64() >> 11U) * 0x1.0p-53; }

std::uint32_t Rng::below(std::uint32_t bound) {
  UNMASK_CHECK(bound > 0);
  // Lemire's method: reject the short first interval.
  std::uint64_t product = static_cast<std::uint64_t>(next_u32()) * bound;
  if (low(product) < bound) {
    const std::uint32_t threshold = (0U - bound) % bound;
    while (low(product) < threshold) product = static_cast<std::uint64_t>(next_u32()) * bound;
  }
  return high(product);
}

bool Rng::bernoulli(double probability) { return uniform() < probability; }

double Rng::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_normal_ = true;
  return radius * std::cos(angle);
}

double Rng::gamma(double shape, double scale) {
  UNMASK_CHECK(shape > 0.0 && scale > 0.0);
  if (shape < 1.0) {
    const double boost = std::pow(1.0 - uniform(), 1.0 / shape);
    return boost * gamma(shape + 1.0, scale);
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = normal();
    const double v = 1.0 + c * x;
    if (v <= 0.0) continue;
    const double cube = v * v * v;
    if (std::log(1.0 - uniform()) < 0.5 * x * x + d - d * cube + d * std::log(cube)) {
      return d * cube * scale;
    }
  }
}

double Rng::beta(double a, double b) {
  const double x = gamma(a, 1.0);
  const double y = gamma(b, 1.0);
  return x / (x + y);
}

std::uint32_t Rng::poisson(double mean) {
  UNMASK_CHECK(mean >= 0.0 && mean < 700.0);
  const double limit = std::exp(-mean);
  double product = uniform();
  std::uint32_t count = 0;
  while (product > limit) {
    ++count;
    product *= uniform();
  }
  return count;
}

std::size_t Rng::weighted(std::span<const double> weights) {
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  UNMASK_CHECK(sum > 0.0);
  double left = uniform() * sum;
  for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0.0) return i;
  }
  return weights.size() - 1;
}

}  // namespace unmask
