#pragma once

#include <string>
#include <string_view>

namespace unmask {

/// The texts of a range in its order, `separator` between them.
template <typename Texts>
[[nodiscard]] std::string joined(const Texts& texts, std::string_view separator) {
  std::string result;
  bool first = true;
  for (const std::string_view text : texts) {
    if (!first) result += separator;
    first = false;
    result += text;
  }
  return result;
}

}  // namespace unmask
