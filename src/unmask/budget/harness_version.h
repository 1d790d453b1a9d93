#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace unmask {

/// A release of a harness, or the range in which an estimate places it; ends included.
struct VersionRange {
  std::array<int, 3> first{};
  std::array<int, 3> last{};

  bool operator==(const VersionRange&) const = default;
};

/// Reads `1.0.1`, `v1.0.1`, `0.1.x` or a range such as `0.1.x-0.2.1`; empty if it is neither.
[[nodiscard]] std::optional<VersionRange> parse_version(std::string_view text);

}  // namespace unmask
