#pragma once

#include <array>
#include <string>
#include <string_view>

#include "unmask/audit/verdict.h"

namespace unmask {

/// How text for people is laid out. The caller knows the terminal; nothing here asks it.
struct TextStyle {
  int width = 80;       ///< columns; values under 40 count as 40
  bool color = false;   ///< ANSI colours; they mark verdicts, and nothing depends on them
  bool unicode = true;  ///< false: ASCII only
  bool verbose = false;

  bool operator==(const TextStyle&) const = default;
};

namespace text {

enum class Paint { none, bold, dim, red, yellow, green, cyan, magenta };
[[nodiscard]] Paint paint_of(Verdict verdict);

/// `content` between ANSI codes if the style has colour.
[[nodiscard]] std::string painted(std::string_view content, Paint paint, const TextStyle& style);

/// Signs that have another spelling in ASCII.
struct Glyphs {
  std::string_view times;       ///< of a ratio
  std::string_view arrow;       ///< from reference to arm
  std::string_view dash;        ///< a number that can't be had
  std::string_view ellipsis;    ///< something was cut
  std::string_view dot;         ///< between facts
  std::string_view plus_minus;  ///< of a margin
  std::string_view rule;        ///< horizontal line
  std::string_view axis_vertical, axis_tick_left, axis_corner, axis_horizontal, axis_tick_down;
  std::string_view line_upper, line_lower, line_both;  ///< halves of the reference's line
  std::string_view trail;                              ///< between an arm's markers
  std::array<std::string_view, 8> markers;             ///< of the arms' points
};
[[nodiscard]] const Glyphs& glyphs(const TextStyle& style);

/// `name` from a log, safe to show in this style and cut to `width` columns.
[[nodiscard]] std::string shown_name(std::string_view name, int width, const TextStyle& style);

}  // namespace text
}  // namespace unmask
