#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "unmask/stats/name_counts.h"
#include "unmask/stats/resampling.h"

namespace unmask::stats {

/// Distances of two pooled count vectors over the same names; descriptive.
struct ShapeDistance {
  std::optional<double> total_variation;  ///< 0..1
  std::optional<double> js_divergence;    ///< bits, 0..1
  std::optional<double> js_distance;      ///< its root
  std::string reason;                     ///< an arm without errors

  bool operator==(const ShapeDistance&) const = default;
};

/// Total variation, Jensen-Shannon divergence and distance (base 2; Lin 1991).
[[nodiscard]] ShapeDistance shape_distance(std::span<const double> reference,
                                           std::span<const double> arm);

/// Up to this many tasks H's test counts all sign vectors.
inline constexpr std::size_t kExactShapeFlips = 16;

/// A test of many names takes fewer random sign vectors: no more additions than this over all of
/// them, if that leaves kFewestShapeFlips. Ten thousand names in each of a hundred tasks still get
/// some 15,000.
inline constexpr std::size_t kShapeAdditions = 4'000'000'000;
inline constexpr std::size_t kFewestShapeFlips = 999;

/// H: did the mix of names change within tasks, whatever the volume?
struct ShapeTest {
  std::size_t tasks = 0;    ///< tasks with errors in both arms
  std::optional<double> h;  ///< 0..1
  std::optional<double> p;  ///< flipping whole tasks
  bool exact = false;
  std::string reason;

  bool operator==(const ShapeTest&) const = default;
};

/// H = (1/2) sum_x |sum_i w_i (f_arm,i(x) - f_ref,i(x))| / sum w_i over tasks with errors in both
/// arms, w_i = N_arm,i N_ref,i/(N_arm,i + N_ref,i); p over all sign vectors up to kExactShapeFlips
/// tasks, else (1 + #)/(1 + B), B the replicates or what kShapeAdditions leaves of them; ties
/// within relative 1e-9 count. Null with reason if no task has errors in both arms. STATISTICS,
/// "Failure set": shape.
[[nodiscard]] ShapeTest shape_test(const NameTable& table, const Resampling& random = {});

}  // namespace unmask::stats
