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

// A task's weighted shift of one name, w_i (f_arm,i(x) - f_ref,i(x)).
struct Shift {
  std::size_t column = 0;  // of the name, among the used ones
  double value = 0.0;
};

// The shifts of the used tasks; most names occur in few tasks, so only those are kept.
struct Shifts {
  std::size_t names = 0;
  double weight = 0.0;
  std::vector<std::vector<Shift>> tasks;  // by rising column
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
  Shifts shifts;
  for (std::size_t name = 0; name < table.names; ++name) {
    if (seen[name]) column[name] = shifts.names++;
  }
  shifts.tasks.reserve(used.size());
  for (const Used& task : used) {
    const double weight = task.arm * task.reference / (task.arm + task.reference);
    shifts.weight += weight;
    std::vector<Shift>& row = shifts.tasks.emplace_back();
    row.reserve(task.names->size());
    for (const TaskName& name : *task.names) {
      row.push_back(
          {column[name.name], weight * (name.arm / task.arm - name.reference / task.reference)});
    }
  }
  return shifts;
}

// sum_x |sum_i s_i v_i(x)| for sign vectors given as bits, through tables of four tasks each, which
// hold the names of these tasks alone.
class FlippedDistance {
 public:
  explicit FlippedDistance(const Shifts& shifts) : sums_(shifts.names) {
    std::vector<std::size_t> place(shifts.names);
    for (std::size_t first = 0; first < shifts.tasks.size(); first += kGroup) {
      const std::size_t end = std::min(first + kGroup, shifts.tasks.size());
      Group& group = groups_.emplace_back();
      for (std::size_t task = first; task < end; ++task) {
        for (const Shift& shift : shifts.tasks[task]) group.columns.push_back(shift.column);
      }
      std::ranges::sort(group.columns);
      const auto repeats = std::ranges::unique(group.columns);
      group.columns.erase(repeats.begin(), repeats.end());
      const std::size_t width = group.columns.size();
      for (std::size_t i = 0; i < width; ++i) place[group.columns[i]] = i;
      group.table.assign(kPatterns * width, 0.0);
      for (std::size_t task = first; task < end; ++task) {
        for (std::size_t pattern = 0; pattern < kPatterns; ++pattern) {
          const double sign = ((pattern >> (task - first)) & 1U) != 0 ? 1.0 : -1.0;
          for (const Shift& shift : shifts.tasks[task]) {
            group.table[pattern * width + place[shift.column]] += sign * shift.value;
          }
        }
      }
    }
  }

  // Additions that one distance takes.
  [[nodiscard]] std::size_t work() const {
    std::size_t additions = sums_.size();
    for (const Group& group : groups_) additions += group.columns.size();
    return additions;
  }

  // `next_bits()` gives 32 random (or counted) bits, the first task's lowest.
  template <typename NextBits>
  double operator()(const NextBits& next_bits) {
    std::ranges::fill(sums_, 0.0);
    std::uint32_t bits = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (g % (32 / kGroup) == 0) bits = next_bits();
      groups_[g].add(bits % kPatterns, sums_);
      bits >>= kGroup;
    }
    double distance = 0.0;
    for (const double sum : sums_) distance += std::abs(sum);
    return distance;
  }

 private:
  struct Group {
    std::vector<std::size_t> columns;  // of its names, rising
    std::vector<double> table;         // kPatterns rows, one sum a name

    void add(std::size_t pattern, std::vector<double>& sums) const {
      const double* row = table.data() + pattern * columns.size();
      if (columns.size() == sums.size()) {
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += row[i];
        return;
      }
      for (std::size_t i = 0; i < columns.size(); ++i) sums[columns[i]] += row[i];
    }
  };

  std::vector<Group> groups_;
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
  ShapeTest test{.tasks = shifts.tasks.size()};
  if (test.tasks == 0) {
    test.reason = "no task has errors in both arms";
    return test;
  }
  FlippedDistance distance(shifts);
  const double observed = distance([] { return 0xffffffffU; });
  test.h = observed / 2.0 / shifts.weight;
  const double limit = observed * (1.0 - kTie);
  test.exact = test.tasks <= kExactShapeFlips;
  std::size_t reached = 0;
  if (test.exact) {
    // A vector and its opposite give the same distance: the last task keeps its sign.
    const std::uint32_t vectors = 1U << (test.tasks - 1);
    for (std::uint32_t bits = 0; bits < vectors; ++bits) {
      if (distance([bits] { return bits; }) >= limit) ++reached;
    }
    test.p = static_cast<double>(reached) / static_cast<double>(vectors);
    return test;
  }
  UNMASK_CHECK(random.replicates >= 1);
  const std::size_t affordable = std::max(kFewestShapeFlips, kShapeAdditions / distance.work());
  const std::size_t replicates = std::min(random.replicates, affordable);
  Rng rng(random.seed, "shape_flip", random.index);
  for (std::size_t replicate = 0; replicate < replicates; ++replicate) {
    if (distance([&] { return rng.next_u32(); }) >= limit) ++reached;
  }
  test.p = (1.0 + static_cast<double>(reached)) / (1.0 + static_cast<double>(replicates));
  return test;
}

}  // namespace unmask::stats
