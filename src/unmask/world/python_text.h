#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace unmask::world {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
};

/// The code point that `text` (WTF-8, not empty) begins with. A byte that begins none counts as one
/// code point of its own value, so that any bytes can be walked.
[[nodiscard]] CodePoint decode_code_point(std::string_view text);

/// Python's len: the number of code points.
[[nodiscard]] std::size_t code_point_count(std::string_view text);

/// Whether Python's repr shows the code point as it is: its general category in Unicode 15.0 is
/// none of Cc, Cf, Cs, Co, Cn, Zl, Zp and Zs, but for the ASCII space.
[[nodiscard]] bool is_printable(std::uint32_t code_point);

/// Python's str.lower by Unicode 15.0, without the rule for a final sigma (which becomes U+03C3).
[[nodiscard]] std::string python_lower(std::string_view text);

/// Whether the text is empty or white space only (Python's str.strip leaves nothing).
[[nodiscard]] bool is_blank(std::string_view text);

}  // namespace unmask::world
