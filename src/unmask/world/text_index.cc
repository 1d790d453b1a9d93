#include "unmask/world/text_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/world/same_text.h"

namespace unmask::world {
namespace {

/// Of eight bytes at a time, the last ones perhaps twice.
std::uint32_t hash_of(std::string_view text) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;
  std::uint64_t hash = text.size() * kFactor;
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * kFactor;
    hash ^= hash >> 32U;
  };
  std::uint64_t word = 0;
  if (text.size() < sizeof word) {
    for (const char byte : text) word = word << 8U | static_cast<unsigned char>(byte);
    mix(word);
  } else {
    const std::size_t last = text.size() - sizeof word;
    for (std::size_t at = 0; at < last; at += sizeof word) {
      std::memcpy(&word, text.data() + at, sizeof word);
      mix(word);
    }
    std::memcpy(&word, text.data() + last, sizeof word);
    mix(word);
  }
  return static_cast<std::uint32_t>(hash);
}

}  // namespace

std::optional<std::size_t> TextIndex::find(std::string_view text) const {
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t hash = hash_of(text);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; slots_[at].number != kFree; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.hash == hash && same_text({texts_.data() + slot.begin, slot.size}, text)) {
      return slot.number;
    }
  }
  return std::nullopt;
}

void TextIndex::emplace(std::string_view text, std::size_t number) {
  if (find(text)) return;
  UNMASK_CHECK(number < kFree && texts_.size() + text.size() < kFree);
  if (2 * (size_ + 1) > slots_.size()) grow();
  const Slot added{hash_of(text), static_cast<std::uint32_t>(texts_.size()),
                   static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(number)};
  texts_ += text;
  ++size_;
  occupy(slots_, added);
}

void TextIndex::grow() {
  constexpr std::size_t kFirst = 16;
  std::vector<Slot> larger(std::max(kFirst, 2 * slots_.size()));
  for (const Slot& slot : slots_) {
    if (slot.number != kFree) occupy(larger, slot);
  }
  slots_ = std::move(larger);
}

void TextIndex::occupy(std::vector<Slot>& slots, const Slot& slot) {
  const std::size_t mask = slots.size() - 1;
  std::size_t at = slot.hash & mask;
  while (slots[at].number != kFree) at = (at + 1) & mask;
  slots[at] = slot;
}

}  // namespace unmask::world
