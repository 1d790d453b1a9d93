#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace unmask::world::retail {

/// The rows of a table that an environment has changed, by their places in the table. Copies share
/// the rows. An episode changes a handful, which are searched one by one; beyond that by hashing.
template <typename T>
class ChangedRows {
 public:
  struct Row {
    std::size_t place = 0;
    std::shared_ptr<const T> value;
  };

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// In the order of their first changes.
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

  /// Null: not changed.
  [[nodiscard]] const T* find(std::size_t place) const {
    const std::size_t at = search(place);
    return at == rows_.size() ? nullptr : rows_[at].value.get();
  }

  void set(std::size_t place, std::shared_ptr<const T> value) {
    const std::size_t at = search(place);
    if (at < rows_.size()) {
      rows_[at].value = std::move(value);
      return;
    }
    rows_.push_back({place, std::move(value)});
    if (rows_.size() <= kFew) return;
    if (2 * rows_.size() > slots_.size()) {
      slots_.assign(std::max(kFirstSlots, 2 * slots_.size()), 0);
      for (std::size_t row = 0; row + 1 < rows_.size(); ++row) occupy(row);
    }
    occupy(at);
  }

 private:
  static constexpr std::size_t kFew = 8;
  static constexpr std::size_t kFirstSlots = 64;

  [[nodiscard]] std::size_t first_slot(std::size_t place) const {
    // Places of a table are dense: a multiplication spreads them, its high bits best.
    return (place * 0x9E3779B97F4A7C15U >> 32U) & (slots_.size() - 1);
  }
  /// Where the row of this place is in rows_; rows_.size(): nowhere.
  [[nodiscard]] std::size_t search(std::size_t place) const {
    if (rows_.size() <= kFew) {
      std::size_t at = 0;
      while (at < rows_.size() && rows_[at].place != place) ++at;
      return at;
    }
    std::size_t slot = first_slot(place);
    while (slots_[slot] != 0) {
      const std::size_t at = slots_[slot] - 1;
      if (rows_[at].place == place) return at;
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return rows_.size();
  }
  void occupy(std::size_t at) {
    std::size_t slot = first_slot(rows_[at].place);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint32_t>(at + 1);
  }

  std::vector<Row> rows_;
  /// Open addressing: a place in rows_ plus one, or zero; a power of two, at most half full. Empty
  /// while there are few.
  std::vector<std::uint32_t> slots_;
};

}  // namespace unmask::world::retail
