#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unmask::world {

/// Texts and a number for each: what a table's ids are looked up in. Made once, then only read;
/// a look-up touches one or two cache lines.
class TextIndex {
 public:
  /// Adds a text unless it is there already: the first number stays.
  void emplace(std::string_view text, std::size_t number);
  /// nullopt if the text is not there.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view text) const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t begin = 0;  ///< in texts_
    std::uint32_t size = 0;
    std::uint32_t number = 0;
  };

  [[nodiscard]] bool holds(const Entry& entry, std::uint32_t hash, std::string_view text) const;
  void grow();

  std::string texts_;
  std::vector<Entry> entries_;
  /// Open addressing: a place among entries_ plus one, or zero; a power of two, at most half full.
  std::vector<std::uint32_t> slots_;
};

}  // namespace unmask::world
