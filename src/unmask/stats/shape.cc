#include "unmask/stats/shape.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/rng.h"
#include "unmask/stats/moments.h"
#include "unmask/stats/name_counts.h"
#include "unmask/stats/resampling.h"

namespace unmask::stats {
namespace {

constexpr std::size_t kGroup = 4;  // tasks a table; each has 2^kGroup rows of one sum a name
constexpr std::size_t kPatterns = std::size_t{1} << kGroup;
constexpr double kTie = 1e-9;

// The weighted shifts of the used tasks, w_i (f_arm,i(x) - f_ref,i(x)), dense over used names.
struct Shifts {
  std::size_t tasks = 0;
  std::size_t names = 0;
  double weight = 0.0;
  std::vector<double> values;  // tasks rows of names

  [[nodiscard]] std::span<const double> row(std::size_t task) const {
    return std::span(values).subspan(task * names, names);
  }
};

Shifts shifts_of(const NameTable& table) {
  struct Used {
    const std::vector<TaskName>* names;
    double reference;
    double arm;
  };
  const std::vector<std::vector<TaskName>> tasks = names_by_task(table);
  std::vector<Used> used;
  std::vector<std::size_t> column(table.names, 0);
  std::vector<bool> seen(table.names, false);
  for (const std::vector<TaskName>& names : tasks) {
    Used task{&names, 0.0, 0.0};
    for (const TaskName& name : names) {
      task.reference += name.reference;
      task.arm += name.arm;
    }
    if (task.reference == 0.0 || task.arm == 0.0) continue;
    for (const TaskName& name : names) seen[name.name] = true;
    used.push_back(task);
  }
  Shifts shifts{.tasks = used.size()};
  for (std::size_t name = 0; name < table.names; ++name) {
    if (seen[name]) column[name] = shifts.names++;
  }
  shifts.values.assign(shifts.tasks * shifts.names, 0.0);
  for (std::size_t i = 0; i < used.size(); ++i) {
    const double weight = used[i].arm * used[i].reference / (used[i].arm + used[i].reference);
    shifts.weight += weight;
    for (const TaskName& name : *used[i].names) {
      shifts.values[i * shifts.names + column[name.name]] =
          weight * (name.arm / used[i].arm - name.reference / used[i].reference);
    }
  }
  return shifts;
}

// sum_x |sum_i s_i v_i(x)| for sign vectors given as bits, through tables of four tasks each.
class FlippedDistance {
 public:
  explicit FlippedDistance(const Shifts& shifts)
      : names_(shifts.names), groups_((shifts.tasks + kGroup - 1) / kGroup), sums_(names_) {
    tables_.assign(groups_ * kPatterns * names_, 0.0);
    for (std::size_t task = 0; task < shifts.tasks; ++task) {
      for (std::size_t pattern = 0; pattern < kPatterns; ++pattern) {
        const double sign = ((pattern >> (task % kGroup)) & 1U) != 0 ? 1.0 : -1.0;
        const std::size_t start = (task / kGroup * kPatterns + pattern) * names_;
        for (std::size_t x = 0; x < names_; ++x) {
          tables_[start + x] += sign * shifts.row(task)[x];
        }
      }
    }
  }

  // `next_bits()` gives 32 random (or counted) bits, the first task's lowest.
  template <typename NextBits>
  double operator()(const NextBits& next_bits) {
    std::ranges::fill(sums_, 0.0);
    std::uint32_t bits = 0;
    for (std::size_t g = 0; g < groups_; ++g) {
      if (g % (32 / kGroup) == 0) bits = next_bits();
      const double* row = &tables_[(g * kPatterns + bits % kPatterns) * names_];
      for (std::size_t x = 0; x < names_; ++x) sums_[x] += row[x];
      bits >>= kGroup;
    }
    double distance = 0.0;
    for (const double sum : sums_) distance += std::abs(sum);
    return distance;
  }

 private:
  std::size_t names_;
  std::size_t groups_;
  std::vector<double> tables_;
  std::vector<double> sums_;
};

}  // namespace

ShapeDistance shape_distance(std::span<const double> reference, std::span<const double> arm) {
  UNMASK_CHECK(reference.size() == arm.size());
  ShapeDistance distance;
  const double errors_reference = sum_of(reference);
  const double errors_arm = sum_of(arm);
  if (errors_reference <= 0.0 || errors_arm <= 0.0) {
    distance.reason = "an arm without errors";
    return distance;
  }
  const auto term = [](double p, double middle) {
    return p > 0.0 ? p * std::log2(p / middle) : 0.0;
  };
  double variation = 0.0;
  double divergence = 0.0;
  for (std::size_t x = 0; x < arm.size(); ++x) {
    const double p = reference[x] / errors_reference;
    const double q = arm[x] / errors_arm;
    const double middle = (p + q) / 2.0;
    variation += std::abs(p - q);
    divergence += term(p, middle) + term(q, middle);
  }
  distance.total_variation = variation / 2.0;
  // Equal shapes may leave a rounding error below 0.
  distance.js_divergence = std::max(divergence / 2.0, 0.0);
  distance.js_distance = std::sqrt(*distance.js_divergence);
  return distance;
}

ShapeTest shape_test(const NameTable& table, const Resampling& random) {
  const Shifts shifts = shifts_of(table);
  ShapeTest test{.tasks = shifts.tasks};
  if (shifts.tasks == 0) {
    test.reason = "no task has errors in both arms";
    return test;
  }
  FlippedDistance distance(shifts);
  const double observed = distance([] { return 0xffffffffU; });
  test.h = observed / 2.0 / shifts.weight;
  const double limit = observed * (1.0 - kTie);
  test.exact = shifts.tasks <= kExactShapeFlips;
  std::size_t reached = 0;
  if (test.exact) {
    // A vector and its opposite give the same distance: the last task keeps its sign.
    const std::uint32_t vectors = 1U << (shifts.tasks - 1);
    for (std::uint32_t bits = 0; bits < vectors; ++bits) {
      if (distance([bits] { return bits; }) >= limit) ++reached;
    }
    test.p = static_cast<double>(reached) / static_cast<double>(vectors);
    return test;
  }
  UNMASK_CHECK(random.replicates >= 1);
  Rng rng(random.seed, "shape_flip", random.index);
  for (std::size_t replicate = 0; replicate < random.replicates; ++replicate) {
    if (distance([&] { return rng.next_u32(); }) >= limit) ++reached;
  }
  test.p = (1.0 + static_cast<double>(reached)) / (1.0 + static_cast<double>(random.replicates));
  return test;
}

}  // namespace unmask::stats
