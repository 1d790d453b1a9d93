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
    return at >= base_->rows.size() || place_of_change(at) < changed_.size();
  }

  /// Grows whenever a row is handed out by `edit` or added: at the same revision, this copy of the
  /// table has the same rows, but for what was done to them by `amend`.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

  /// Has watched_revision() count the changes of the row `at`, in place of another's.
  void watch(std::size_t at) {
    watched_ = at;
    ++watched_revision_;
  }
  /// Grows whenever the watched row is handed out by `edit`, or another one is watched.
  [[nodiscard]] std::uint64_t watched_revision() const { return watched_revision_; }

  [[nodiscard]] std::size_t size() const { return base_->rows.size() + added_.size(); }

  [[nodiscard]] const Row& operator[](std::size_t at) const {
    if (at >= base_->rows.size()) {
      return added_[at - base_->rows.size()];
    }
    const std::size_t change = place_of_change(at);
    return change < changed_.size() ? changed_[change] : base_->rows[at];
  }

  /// The row for writing; this copy of the table then has its own.
  [[nodiscard]] Row& edit(std::size_t at) {
    ++revision_;
    watched_revision_ += static_cast<std::uint64_t>(at == watched_);
    return amend(at);
  }

  /// The same for changes of members that no reader of a revision looks at.
  [[nodiscard]] Row& amend(std::size_t at) {
    if (at >= base_->rows.size()) {
      return added_[at - base_->rows.size()];
    }
    const std::size_t change = place_of_change(at);
    if (change < changed_.size()) {
      return changed_[change];
    }
    if (changed_.empty()) {
      // Moving a row is dear; most tables have no changes at all or a few.
      constexpr std::size_t kFirst = 4;
      changed_at_.reserve(kFirst);
      changed_.reserve(kFirst);
    }
    changed_at_.push_back(at);
    return changed_.emplace_back(base_->rows[at]);
  }

  void append(Row row) {
    ++revision_;
    added_.push_back(std::move(row));
  }

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
        for (const std::size_t at : table->changed_at_) {
          if (!same_at(at)) {
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

  /// Whether both have the same loaded rows, and no changes.
  [[nodiscard]] bool shares_rows(const OverlayTable& other) const {
    return base_ == other.base_ && changed_.empty() && added_.empty() && other.changed_.empty() &&
           other.added_.empty();
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
  /// Where a base row's own version is in changed_; behind its end: nowhere.
  [[nodiscard]] std::size_t place_of_change(std::size_t at) const {
    std::size_t change = 0;
    while (change < changed_at_.size() && changed_at_[change] != at) {
      ++change;
    }
    return change;
  }

  std::shared_ptr<const Base> base_;
  // Few: an episode touches a handful of rows. Apart from the rows, so that a search reads no rows.
  std::vector<std::size_t> changed_at_;
  std::vector<Row> changed_;
  std::vector<Row> added_;
  std::uint64_t revision_ = 0;
  std::size_t watched_ = static_cast<std::size_t>(-1);
  std::uint64_t watched_revision_ = 0;
};

}  // namespace unmask::world::telecom
