#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unmask::text {

/// A space that wrap() does not break at and prints as a space.
inline constexpr std::string_view kNoBreak = "\u00A0";

/// `text` as a terminal may show it: control characters, bidirectional and zero-width marks and
/// invalid bytes become `\x1b` or `\u{202e}`. With `ascii`, so does everything outside ASCII but a
/// few typographic signs, which become what plain text writes for them (`-`, `x`, `...`).
[[nodiscard]] std::string safe(std::string_view text, bool ascii = false);

/// The same line by line, not for ASCII alone: line ends stay.
[[nodiscard]] std::string safe_lines(std::string_view text);

/// `label` and the first line of `text`, then its other lines, indented as far as the first one.
/// What is to be shown still goes through safe().
[[nodiscard]] std::vector<std::string> hanging_lines(std::string_view label, std::string_view text);

/// Cut to `width` columns, ending in `ellipsis` where something was cut; never splits a character.
[[nodiscard]] std::string truncated(std::string_view text, int width, std::string_view ellipsis);

/// Spaces up to `width` columns; longer text stays as it is.
[[nodiscard]] std::string padded_right(std::string_view text, int width);
[[nodiscard]] std::string padded_left(std::string_view text, int width);

/// Lines of at most `width` columns (>= 1), broken at spaces; a longer word is cut between
/// characters. Empty text has no line.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, int width);

/// `count` times `piece`.
[[nodiscard]] std::string repeated(std::string_view piece, int count);

}  // namespace unmask::text
