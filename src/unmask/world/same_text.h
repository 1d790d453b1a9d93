#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace unmask::world {

/// The bytes from `at` on as a number.
template <typename Word>
[[nodiscard]] inline Word word_at(const char* at) {
  Word word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// `left == right`, in line: for short names, where calling memcmp costs more than comparing.
[[nodiscard]] inline bool same_text(std::string_view left, std::string_view right) {
  const std::size_t size = left.size();
  if (size != right.size()) return false;
  const char* const one = left.data();
  const char* const other = right.data();
  const auto word = word_at<std::uint64_t>;
  if (size < sizeof(std::uint64_t)) {
    if (size >= sizeof(std::uint32_t)) {
      const std::size_t last = size - sizeof(std::uint32_t);
      const auto half = word_at<std::uint32_t>;
      return half(one) == half(other) && half(one + last) == half(other + last);
    }
    for (std::size_t at = 0; at < size; ++at) {
      if (one[at] != other[at]) return false;
    }
    return true;
  }
  // The last word overlaps the one before.
  const std::size_t last = size - sizeof(std::uint64_t);
  for (std::size_t at = 0; at < last; at += sizeof(std::uint64_t)) {
    if (word(one + at) != word(other + at)) return false;
  }
  return word(one + last) == word(other + last);
}

/// A hash of a text, for tables; quick for short ones. Words may overlap, as above.
[[nodiscard]] inline std::uint32_t hash_of_text(std::string_view text) {
  constexpr std::uint64_t kFirstFactor = 0x9E3779B97F4A7C15U;
  constexpr std::uint64_t kSecondFactor = 0xC2B2AE3D27D4EB4FU;
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t hash = left;
  const auto mix = [&hash](std::uint64_t first, std::uint64_t second) {
    hash = (hash ^ first) * kFirstFactor + second * kSecondFactor;
    hash ^= hash >> 32U;
  };
  while (left > 2 * sizeof(std::uint64_t)) {
    mix(word_at<std::uint64_t>(at), word_at<std::uint64_t>(at + sizeof(std::uint64_t)));
    at += 2 * sizeof(std::uint64_t);
    left -= 2 * sizeof(std::uint64_t);
  }
  if (left >= sizeof(std::uint64_t)) {
    mix(word_at<std::uint64_t>(at), word_at<std::uint64_t>(at + left - sizeof(std::uint64_t)));
  } else if (left >= sizeof(std::uint32_t)) {
    mix(word_at<std::uint32_t>(at), word_at<std::uint32_t>(at + left - sizeof(std::uint32_t)));
  } else {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < left; ++i) {
      bytes = bytes << 8U | static_cast<unsigned char>(at[i]);
    }
    mix(bytes, 0);
  }
  hash *= kSecondFactor;
  return static_cast<std::uint32_t>(hash >> 32U);
}

}  // namespace unmask::world
