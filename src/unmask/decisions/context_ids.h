#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace unmask::decisions {

/// Whether a value looks like an id: 4 to 64 bytes of letters, digits and `_#@.+-`, a digit among
/// them.
[[nodiscard]] bool looks_like_id(std::string_view value);

/// Its letters as `a`, its digits as `9`, runs of them as one: `#W4705902` is `#a9`.
[[nodiscard]] std::string shape_of(std::string_view id);

/// An id of the same shape that is not `id`: its last digit is another one. Precondition: it has a
/// digit.
[[nodiscard]] std::string altered(std::string id);

/// The ids that stand in an episode's texts so far.
class ContextIds {
 public:
  /// Punctuation at a word's ends is no part of it.
  void add(std::string_view text);
  [[nodiscard]] bool contains(std::string_view id) const { return known_.contains(id); }
  /// Those of a shape, the latest first.
  [[nodiscard]] std::vector<std::string> of_shape(std::string_view shape) const;

 private:
  std::set<std::string, std::less<>> known_;
  std::vector<std::string> order_;
};

}  // namespace unmask::decisions
