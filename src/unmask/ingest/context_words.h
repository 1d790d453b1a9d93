#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

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

}  // namespace unmask
