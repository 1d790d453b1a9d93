#include "unmask/budget/harness_version.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace unmask {
namespace {

/// One version; `open` stands for an `x` or a missing part.
std::optional<std::array<int, 3>> parse_one(std::string_view text, int open) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::array<int, 3> parts = {open, open, open};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t dot = text.find('.');
    const std::string_view part = text.substr(0, dot);
    const bool is_open = i > 0 && part == "x";
    if (!is_open) {
      int value = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
      // What follows the digits (`1.0.0rc1`, `1.0.0+local`) does not move it between releases.
      if (error != std::errc() || end == part.data() || value < 0) return std::nullopt;
      parts.at(i) = value;
    }
    if (is_open || dot == std::string_view::npos) break;
    text.remove_prefix(dot + 1);
  }
  return parts;
}

}  // namespace

std::optional<VersionRange> parse_version(std::string_view text) {
  constexpr int kHighest = std::numeric_limits<int>::max();
  const std::size_t dash = text.find('-');
  const std::string_view low = text.substr(0, dash);
  const std::string_view rest = dash == std::string_view::npos ? low : text.substr(dash + 1);
  const auto first = parse_one(low, 0);
  // `1.0.0-rc1` is one version with a suffix, no range.
  const auto last =
      parse_one(rest, kHighest).has_value() ? parse_one(rest, kHighest) : parse_one(low, kHighest);
  if (!first || !last || *last < *first) return std::nullopt;
  return VersionRange{.first = *first, .last = *last};
}

}  // namespace unmask
