#include "unmask/world/text_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/world/same_text.h"

namespace unmask::world {
void TextIndex::emplace(std::string_view text, std::size_t number) {
  if (find(text)) return;
  UNMASK_CHECK(number < kFree && texts_.size() + text.size() < kFree);
  if (2 * (size_ + 1) > slots_.size()) grow();
  const Slot added{hash_of_text(text), static_cast<std::uint32_t>(texts_.size()),
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
