#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "unmask/episode/episode.h"

namespace unmask {

/// Collects identifiers from an episode's texts: words of at least two parts joined by `_` or `-`,
/// or in camelCase, as tool names are. Each is kept once, with the first message that has it:
/// earlier is all that provenance asks.
class ContextWords {
 public:
  void add(std::uint32_t message, std::string_view text);
  /// In order of first appearance; the collector is empty afterwards.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::string>> take();

 private:
  /// Lets a word be looked up before it is copied: most have been seen.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const {
      return std::hash<std::string_view>{}(word);
    }
  };

  std::unordered_set<std::string, Hash, std::equal_to<>> seen_;
  std::vector<std::pair<std::uint32_t, std::string>> words_;
};

/// Of an episode's texts the identifiers that a failed call of it has as its name, or within it
/// (`functions.open_lid` has `open_lid`), from messages before the name's first call: all that
/// provenance asks for. The texts are searched once the calls are known, which costs a fraction of
/// collecting every word.
class CallContext {
 public:
  /// `text` must live until `take`.
  void add(std::uint32_t message, std::string_view text) { texts_.push_back({message, text}); }
  /// Keeps a text that won't; what is returned lives until `take`.
  std::string_view add_copy(std::uint32_t message, std::string text) {
    copies_.push_back(std::move(text));
    add(message, copies_.back());
    return copies_.back();
  }
  /// In order of messages; the collector is empty afterwards.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::string>> take(
      std::span<const ToolCall> calls);

 private:
  struct Text {
    std::uint32_t message = 0;
    std::string_view text;
  };

  std::vector<Text> texts_;
  std::deque<std::string> copies_;
};

}  // namespace unmask
