#include "unmask/stats/sign_flip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/rng.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/resampling.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {
namespace {

__extension__ using Int128 = __int128;

constexpr std::int64_t kLargestExactMultiple = 10'000;
constexpr std::int64_t kLargestMultiple = std::int64_t{1} << 31U;
constexpr double kLargestConvolution = 1e9;
constexpr std::int64_t kLargestTotal = std::int64_t{1} << 62U;

// The values that matter, divided by their greatest common divisor: signs and ties stay as they
// are. `total` = sum |x|.
struct Reduced {
  std::vector<std::int64_t> values;
  std::int64_t sum = 0;
  std::int64_t total = 0;
};

// nullopt if the sum of absolute values does not fit.
std::optional<Reduced> reduce(std::span<const Int128> values) {
  const auto magnitude = [](Int128 x) { return x < 0 ? -x : x; };
  Int128 divisor = 0;
  for (Int128 value : values) {
    value = magnitude(value);
    while (value != 0) {
      const Int128 rest = divisor % value;
      divisor = value;
      value = rest;
    }
  }
  Reduced reduced;
  Int128 total = 0;
  for (const Int128 value : values) {
    if (value == 0) continue;
    total += magnitude(value / divisor);
    if (total > kLargestTotal) return std::nullopt;
    const auto small = static_cast<std::int64_t>(value / divisor);
    reduced.values.push_back(small);
    reduced.sum += small;
  }
  reduced.total = static_cast<std::int64_t>(total);
  return reduced;
}

std::optional<Reduced> reduce(std::span<const std::int64_t> values) {
  const std::vector<Int128> wide(values.begin(), values.end());
  return reduce(wide);
}

// Sums up to this one are tracked; the distribution of the subset sum T is symmetric, and
// |2T - total| >= |sum| is T <= (total - |sum|)/2 or its mirror image.
std::int64_t tail_end(const Reduced& reduced) {
  return (reduced.total - std::abs(reduced.sum)) / 2;
}

double convolution_p(const Reduced& reduced) {
  if (reduced.sum == 0) return 1.0;
  const auto size = static_cast<std::size_t>(tail_end(reduced)) + 1;
  // probability[t] = P(subset sum = t) so far; only `reach` cells can be above 0.
  std::vector<double> probability(size, 0.0);
  probability[0] = 1.0;
  std::size_t reach = 1;
  for (const std::int64_t value : reduced.values) {
    const auto step = static_cast<std::size_t>(std::abs(value));
    const std::size_t end = std::min(size, reach + step);
    for (std::size_t t = end; t > step; --t) {
      probability[t - 1] = 0.5 * (probability[t - 1] + probability[t - 1 - step]);
    }
    for (std::size_t t = 0; t < std::min(step, reach); ++t) probability[t] *= 0.5;
    reach = end;
  }
  double tail = 0.0;
  for (const double p : probability) tail += p;
  // Beyond some 1,000 tasks the share of one vector is below the smallest double; p is never 0.
  return std::clamp(2.0 * tail, std::numeric_limits<double>::min(), 1.0);
}

// All 2^n sums of signed values, sorted.
std::vector<std::int64_t> all_sums(std::span<const std::int64_t> values) {
  std::vector<std::int64_t> sums = {0};
  for (const std::int64_t value : values) {
    const std::size_t size = sums.size();
    for (std::size_t i = 0; i < size; ++i) {
      sums.push_back(sums[i] + value);
      sums[i] -= value;
    }
  }
  std::ranges::sort(sums);
  return sums;
}

// Counts all sign vectors by meeting in the middle: 2 * 2^(n/2) sums instead of 2^n.
double enumeration_p(const Reduced& reduced) {
  const std::int64_t observed = std::abs(reduced.sum);
  if (observed == 0) return 1.0;
  const std::span<const std::int64_t> values = reduced.values;
  const std::size_t half = values.size() / 2;
  const std::vector<std::int64_t> left = all_sums(values.first(half));
  const std::vector<std::int64_t> right = all_sums(values.subspan(half));
  // Sums >= observed; those <= -observed are as many by symmetry.
  std::size_t count = 0;
  std::size_t from = right.size();  // right[from ..] reach the observed sum
  for (const std::int64_t sum : left) {
    while (from > 0 && sum + right[from - 1] >= observed) --from;
    count += right.size() - from;
  }
  return std::ldexp(2.0 * static_cast<double>(count), -static_cast<int>(values.size()));
}

constexpr std::size_t kGroup = 8;
constexpr std::size_t kBatch = 256;  // replicates whose signs are drawn together

// Signed sums of eight values at a time for each of the 256 sign patterns, so that a random vector
// costs one look-up for eight tasks.
template <typename Integer>
using GroupSums = std::vector<std::array<Integer, std::size_t{1} << kGroup>>;

template <typename Integer>
GroupSums<Integer> group_sums(std::span<const std::int64_t> values) {
  GroupSums<Integer> tables((values.size() + kGroup - 1) / kGroup);
  for (std::size_t g = 0; g < tables.size(); ++g) {
    const std::span<const std::int64_t> group =
        values.subspan(g * kGroup, std::min(kGroup, values.size() - g * kGroup));
    for (std::size_t pattern = 0; pattern < tables[g].size(); ++pattern) {
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < group.size(); ++i) {
        sum += ((pattern >> i) & 1U) != 0 ? group[i] : -group[i];
      }
      tables[g][pattern] = static_cast<Integer>(sum);
    }
  }
  return tables;
}

template <typename Integer>
std::size_t count_reached(const Reduced& reduced, const Resampling& random) {
  const GroupSums<Integer> tables = group_sums<Integer>(reduced.values);
  const auto observed = static_cast<Integer>(std::abs(reduced.sum));
  Rng rng(random.seed, "sign_flip", random.index);
  const std::size_t words = (tables.size() + 3) / 4;  // of 32 random signs, a replicate
  std::vector<std::uint32_t> bits(words * kBatch);
  std::size_t reached = 0;
  for (std::size_t done = 0; done < random.replicates; done += kBatch) {
    const std::size_t batch = std::min(kBatch, random.replicates - done);
    rng.fill(std::span(bits).first(batch * words));
    for (std::size_t replicate = 0; replicate < batch; ++replicate) {
      const std::uint32_t* word = &bits[replicate * words];
      Integer sum = 0;
      std::size_t g = 0;
      for (; g + 4 <= tables.size(); g += 4, ++word) {
        sum += tables[g][*word & 0xffU] + tables[g + 1][*word >> 8U & 0xffU] +
               tables[g + 2][*word >> 16U & 0xffU] + tables[g + 3][*word >> 24U];
      }
      for (std::uint32_t rest = g < tables.size() ? *word : 0; g < tables.size(); ++g) {
        sum += tables[g][rest & 0xffU];
        rest >>= kGroup;
      }
      reached += static_cast<std::size_t>(std::abs(sum) >= observed);
    }
  }
  return reached;
}

double random_p(const Reduced& reduced, const Resampling& random) {
  UNMASK_CHECK(random.replicates >= 1);
  if (reduced.sum == 0) return 1.0;
  // Narrow sums keep the tables in the first-level cache.
  const std::size_t reached = reduced.total < std::numeric_limits<std::int32_t>::max()
                                  ? count_reached<std::int32_t>(reduced, random)
                                  : count_reached<std::int64_t>(reduced, random);
  return (1.0 + static_cast<double>(reached)) / (1.0 + static_cast<double>(random.replicates));
}

std::int64_t whole(double value) {
  UNMASK_CHECK(std::abs(value) < 0x1.0p53 && value == std::trunc(value));
  return static_cast<std::int64_t>(value);
}

// Least common multiple of all denominators, or nothing if it gets too large.
std::optional<std::int64_t> common_multiple(std::span<const TaskPair> tasks) {
  std::int64_t multiple = 1;
  for (const TaskPair& pair : tasks) {
    for (const double denominator : {pair.reference.denominator, pair.arm.denominator}) {
      UNMASK_CHECK(denominator >= 1.0);
      const Int128 next = static_cast<Int128>(multiple / std::gcd(multiple, whole(denominator))) *
                          whole(denominator);
      if (next > kLargestMultiple) return std::nullopt;
      multiple = static_cast<std::int64_t>(next);
    }
  }
  return multiple;
}

}  // namespace

double exact_flip_p(std::span<const std::int64_t> values) {
  const std::optional<Reduced> reduced = reduce(values);
  UNMASK_CHECK(reduced.has_value());
  return convolution_p(*reduced);
}

double random_flip_p(std::span<const std::int64_t> values, const Resampling& random) {
  const std::optional<Reduced> reduced = reduce(values);
  UNMASK_CHECK(reduced.has_value());
  return random_p(*reduced, random);
}

FlipTest score_flip_test(std::span<const TaskPair> tasks, const Resampling& random) {
  FlipTest test;
  if (tasks.empty()) {
    test.reason = kNoTasks;
    return test;
  }
  const std::optional<std::int64_t> multiple = common_multiple(tasks);
  std::optional<Reduced> reduced;
  if (multiple.has_value()) {
    const std::int64_t scale = *multiple;
    std::vector<Int128> values;
    values.reserve(tasks.size());
    for (const TaskPair& pair : tasks) {
      const auto scaled = [&](const TaskTotal& total) {
        return static_cast<Int128>(whole(total.numerator)) * (scale / whole(total.denominator));
      };
      values.push_back(scaled(pair.reference) - scaled(pair.arm));
    }
    reduced = reduce(values);
  }
  if (!reduced.has_value()) {
    test.reason = "the tasks' trial counts have no common multiple of a usable size";
    return test;
  }
  test.nonzero = reduced->values.size();
  const double steps =
      static_cast<double>(test.nonzero) * (static_cast<double>(tail_end(*reduced)) + 1.0);
  test.exact = multiple <= kLargestExactMultiple && steps <= kLargestConvolution;
  test.p = test.exact ? convolution_p(*reduced) : random_p(*reduced, random);
  return test;
}

FlipTest rate_flip_test(std::span<const TaskPair> tasks, const Resampling& random) {
  FlipTest test;
  Int128 numerator = 0;
  Int128 denominator = 0;
  for (const TaskPair& pair : tasks) {
    numerator += whole(pair.reference.numerator) + whole(pair.arm.numerator);
    denominator += whole(pair.reference.denominator) + whole(pair.arm.denominator);
  }
  if (tasks.empty() || denominator == 0) {
    test.reason = tasks.empty() ? kNoTasks : kEmptyDenominator;
    return test;
  }
  std::vector<Int128> values;
  values.reserve(tasks.size());
  // Whole numbers below 2^53 times sums of at most 2^63 of them: the products fit if both sums are
  // below 2^63.
  const bool fits = numerator < kLargestTotal && denominator < kLargestTotal;
  if (fits) {
    for (const TaskPair& pair : tasks) {
      values.push_back((whole(pair.arm.numerator) - whole(pair.reference.numerator)) * denominator -
                       (whole(pair.arm.denominator) - whole(pair.reference.denominator)) *
                           numerator);
    }
  }
  const std::optional<Reduced> reduced = fits ? reduce(values) : std::nullopt;
  if (!reduced.has_value()) {
    test.reason = "the counts are too large for an exact comparison";
    return test;
  }
  test.nonzero = reduced->values.size();
  test.exact = test.nonzero <= kExactRateFlips;
  test.p = test.exact ? enumeration_p(*reduced) : random_p(*reduced, random);
  return test;
}

}  // namespace unmask::stats
