#include "unmask/world/text_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "unmask/base/check.h"

namespace unmask::world {
namespace {

std::uint32_t hash_of(std::string_view text) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>{}(text));
}

}  // namespace

bool TextIndex::holds(const Entry& entry, std::uint32_t hash, std::string_view text) const {
  return entry.hash == hash && std::string_view(texts_.data() + entry.begin, entry.size) == text;
}

std::optional<std::size_t> TextIndex::find(std::string_view text) const {
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t hash = hash_of(text);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const Entry& entry = entries_[slots_[slot] - 1];
    if (holds(entry, hash, text)) return entry.number;
  }
  return std::nullopt;
}

void TextIndex::emplace(std::string_view text, std::size_t number) {
  constexpr std::size_t kLimit = std::numeric_limits<std::uint32_t>::max();
  if (find(text)) return;
  UNMASK_CHECK(number < kLimit && texts_.size() + text.size() < kLimit);
  if (2 * (entries_.size() + 1) > slots_.size()) grow();
  const std::uint32_t hash = hash_of(text);
  entries_.push_back({hash, static_cast<std::uint32_t>(texts_.size()),
                      static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(number)});
  texts_ += text;
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != 0) slot = (slot + 1) & mask;
  slots_[slot] = static_cast<std::uint32_t>(entries_.size());
}

void TextIndex::grow() {
  constexpr std::size_t kFirst = 16;
  slots_.assign(std::max(kFirst, 2 * slots_.size()), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = 0; at < entries_.size(); ++at) {
    std::size_t slot = entries_[at].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(at + 1);
  }
}

}  // namespace unmask::world
