#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace unmask {

/// Appends a code point as UTF-8. A surrogate gets its three-byte form, as WTF-8 has it.
void append_utf8(std::string& out, std::uint32_t code_point);

/// Length of the valid UTF-8 sequence that `text` begins with: 1 to 4; 0 if it is invalid or empty.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// True for the halves of UTF-16's pairs, which stand for no character alone.
[[nodiscard]] constexpr bool is_surrogate(std::uint32_t code_point) {
  return code_point >= 0xD800U && code_point <= 0xDFFFU;
}

/// The 16-bit number of four hexadecimal digits that `text` begins with.
[[nodiscard]] std::optional<std::uint32_t> hex4(std::string_view text);

/// What a `\uXXXX` of JSON, or two of them that make up one character, stand for.
struct UnicodeEscape {
  std::uint32_t code_point = 0;  ///< a surrogate if it stands alone
  std::size_t length = 0;        ///< bytes of the escape: 6 or 12
};

/// The escape that `text` begins with, backslash included; nullopt if it begins with none.
[[nodiscard]] std::optional<UnicodeEscape> unicode_escape(std::string_view text);

}  // namespace unmask
