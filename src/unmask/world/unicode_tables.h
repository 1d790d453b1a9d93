#pragma once

#include <cstdint>
#include <span>

namespace unmask::world {

/// Code points `first` to `last`, both included.
struct CodePointRange {
  std::uint32_t first;
  std::uint32_t last;
};

/// Code points first, first + step ... last, whose lower case is the code point plus `distance`.
struct LowerRun {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t step;
  std::int32_t distance;
};

/// Unicode 15.0, ascending and disjoint.
[[nodiscard]] std::span<const CodePointRange> printable_ranges();
/// Unicode 15.0, ascending by `first`; U+0130, which becomes two code points, is not among them.
[[nodiscard]] std::span<const LowerRun> lower_runs();

}  // namespace unmask::world
