#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace unmask::world {

/// `left == right`, in line: for short names, where calling memcmp costs more than comparing.
[[nodiscard]] inline bool same_text(std::string_view left, std::string_view right) {
  const std::size_t size = left.size();
  if (size != right.size()) return false;
  const auto word = [](const char* at) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    return bytes;
  };
  if (size < sizeof(std::uint64_t)) {
    for (std::size_t at = 0; at < size; ++at) {
      if (left[at] != right[at]) return false;
    }
    return true;
  }
  // The last word overlaps the one before.
  const std::size_t last = size - sizeof(std::uint64_t);
  for (std::size_t at = 0; at < last; at += sizeof(std::uint64_t)) {
    if (word(left.data() + at) != word(right.data() + at)) return false;
  }
  return word(left.data() + last) == word(right.data() + last);
}

}  // namespace unmask::world
