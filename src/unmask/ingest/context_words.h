#pragma once

#include <cstdint>
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
  std::unordered_set<std::string> seen_;
  std::vector<std::pair<std::uint32_t, std::string>> words_;
};

}  // namespace unmask
