#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/world/text_index.h"

namespace unmask::world::telecom {

/// A row's dump, keys in declared and in sorted order.
struct RowTexts {
  std::string declared;
  std::string sorted;
};

/// A table of rows whose copies share what none of them changed: the loaded rows once, and in each
/// copy only the rows that it changed or added. Rows keep their order and are never removed; their
/// ids never change. `Row::id()` names a row; of two rows with the same id the first counts.
template <typename Row>
class OverlayTable {
 public:
  OverlayTable() : OverlayTable(std::vector<Row>{}) {}

  /// `texts` are what readers want to know of the rows as loaded, or nothing.
  explicit OverlayTable(std::vector<Row> rows, std::vector<RowTexts> texts = {}) {
    auto base = std::make_shared<Base>();
    base->rows = std::move(rows);
    base->texts = std::move(texts);
    for (std::size_t at = 0; at < base->rows.size(); ++at) {
      base->index.emplace(base->rows[at].id(), at);
    }
    base_ = std::move(base);
  }

  /// The texts of a row, given when the table was made; null if the row is not as loaded.
  [[nodiscard]] const RowTexts* texts(std::size_t at) const {
    return at < base_->texts.size() && !is_changed(at) ? &base_->texts[at] : nullptr;
  }

  /// Whether this copy of the table has its own row there.
  [[nodiscard]] bool is_changed(std::size_t at) const {
    for (const Changed& changed : changed_) {
      if (changed.at == at) {
        return true;
      }
    }
    return at >= base_->rows.size();
  }

  [[nodiscard]] std::size_t size() const { return base_->rows.size() + added_.size(); }

  [[nodiscard]] const Row& operator[](std::size_t at) const {
    if (at >= base_->rows.size()) {
      return added_[at - base_->rows.size()];
    }
    for (const Changed& changed : changed_) {
      if (changed.at == at) {
        return changed.row;
      }
    }
    return base_->rows[at];
  }

  /// The row for writing; this copy of the table then has its own.
  [[nodiscard]] Row& edit(std::size_t at) {
    if (at >= base_->rows.size()) {
      return added_[at - base_->rows.size()];
    }
    for (Changed& changed : changed_) {
      if (changed.at == at) {
        return changed.row;
      }
    }
    return changed_.emplace_back(Changed{at, base_->rows[at]}).row;
  }

  void append(Row row) { added_.push_back(std::move(row)); }

  /// Whether `same(row, other's row)` holds for all rows. Rows that both share are not looked at.
  template <typename Same>
  [[nodiscard]] bool equals(const OverlayTable& other, Same same) const {
    if (size() != other.size()) {
      return false;
    }
    const auto same_at = [&](std::size_t at) { return same((*this)[at], other[at]); };
    std::size_t from = 0;
    if (base_ == other.base_) {
      from = base_->rows.size();
      for (const OverlayTable* table : {this, &other}) {
        for (const Changed& changed : table->changed_) {
          if (!same_at(changed.at)) {
            return false;
          }
        }
      }
    }
    for (std::size_t at = from; at < size(); ++at) {
      if (!same_at(at)) {
        return false;
      }
    }
    return true;
  }

  /// Place of the first row with this id.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const {
    if (const std::optional<std::size_t> found = base_->index.find(id)) {
      return found;
    }
    for (std::size_t at = 0; at < added_.size(); ++at) {
      if (added_[at].id() == id) {
        return base_->rows.size() + at;
      }
    }
    return std::nullopt;
  }

 private:
  struct Base {
    std::vector<Row> rows;
    std::vector<RowTexts> texts;  // none, or one a row
    TextIndex index;              // of the rows' ids
  };
  struct Changed {
    std::size_t at = 0;
    Row row;
  };

  std::shared_ptr<const Base> base_;
  std::vector<Changed> changed_;  // few: an episode touches a handful of rows
  std::vector<Row> added_;
};

}  // namespace unmask::world::telecom
