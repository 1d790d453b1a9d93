#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace unmask {

/// Gives each distinct string a small number, in order of first appearance.
/// Strings never move: views from `text` live as long as the interner (also after a move of it).
class Interner {
 public:
  Interner() = default;
  Interner(const Interner& other) { *this = other; }
  Interner& operator=(const Interner& other) {
    if (this == &other) return *this;
    ids_.clear();
    texts_.clear();
    for (const std::string& text : other.texts_) intern(text);
    return *this;
  }
  Interner(Interner&&) noexcept = default;
  Interner& operator=(Interner&&) = default;

  std::uint32_t intern(std::string_view text) {
    if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
    const auto id = static_cast<std::uint32_t>(texts_.size());
    ids_.emplace(texts_.emplace_back(text), id);
    return id;
  }
  /// `id` must come from this interner.
  [[nodiscard]] const std::string& text(std::uint32_t id) const { return texts_[id]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
};

}  // namespace unmask
