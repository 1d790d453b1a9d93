#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Layout of text for people: widths, wrapping, numbers, tables, charts. Pure; no terminal is
/// asked.
namespace unmask::text {

/// One character read from UTF-8.
struct DecodedCharacter {
  char32_t code_point = 0;
  std::size_t bytes = 0;  ///< how many it takes; 1 for an invalid byte
  bool valid = false;     ///< false: the byte begins no character (RFC 3629)
};

/// The first character of `text`, which must not be empty.
[[nodiscard]] DecodedCharacter decode_character(std::string_view text);

/// Columns that a terminal gives to a character: 0 (marks), 1 or 2 (East Asian wide, emoji).
[[nodiscard]] int character_width(char32_t code_point);

/// True for characters that change what a reader sees around them, or hide: control characters,
/// bidirectional marks, zero-width characters, line separators, tags, private use.
[[nodiscard]] bool is_deceptive(char32_t code_point);

/// Columns of UTF-8 text without control characters; an invalid byte counts as one.
[[nodiscard]] int display_width(std::string_view text);

}  // namespace unmask::text
