#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/world/same_text.h"

namespace unmask::world {

/// Texts and a number for each: what a table's ids are looked up in. Made once, then only read;
/// a look-up touches one or two cache lines.
class TextIndex {
 public:
  /// Adds a text unless it is there already: the first number stays.
  void emplace(std::string_view text, std::size_t number);
  /// nullopt if the text is not there.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view text) const {
    if (slots_.empty()) return std::nullopt;
    const std::uint32_t hash = hash_of_text(text);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask; slots_[at].number != kFree; at = (at + 1) & mask) {
      const Slot& slot = slots_[at];
      if (slot.hash == hash && same_text({texts_.data() + slot.begin, slot.size}, text)) {
        return slot.number;
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t begin = 0;  ///< in texts_
    std::uint32_t size = 0;
    std::uint32_t number = kFree;
  };
  static constexpr std::uint32_t kFree = 0xFFFFFFFFU;

  void grow();
  static void occupy(std::vector<Slot>& slots, const Slot& slot);

  std::string texts_;
  /// Open addressing; a power of two, at most half full.
  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace unmask::world
