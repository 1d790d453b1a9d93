#pragma once

#include <cstdint>
#include <string_view>

namespace unmask::run {

/// What a unit's seed depends on: nothing else, so that it is the same in any order, on any thread
/// and in a resumed run, and the same for all arms of a cell, whose trials pair by it.
struct SeededUnit {
  std::uint64_t study_seed = 0;
  std::string_view cell;
  std::string_view task;
  int trial = 0;
  /// A null arm repeats the reference with other seeds.
  bool null_arm = false;
};

/// The seed of a unit, 0 to 2^31 - 1, since endpoints take no larger ones: the first 31 bits of the
/// SHA-256 of these values.
[[nodiscard]] std::uint64_t unit_seed(const SeededUnit& unit);

}  // namespace unmask::run
