#include "unmask/report/text_style.h"

#include <string>
#include <string_view>

#include "unmask/audit/verdict.h"
#include "unmask/report/terminal_text.h"

namespace unmask::text {
namespace {

constexpr Glyphs kUnicode = {
    .times = "×",
    .arrow = "→",
    .dash = "—",
    .ellipsis = "…",
    .dot = "·",
    .plus_minus = "±",
    .rule = "─",
    .axis_vertical = "│",
    .axis_tick_left = "┤",
    .axis_corner = "└",
    .axis_horizontal = "─",
    .axis_tick_down = "┬",
    .line_upper = "▀",
    .line_lower = "▄",
    .line_both = "█",
    .trail = "·",
    .markers = {"●", "◆", "▲", "■", "○", "◇", "△", "□"},
};

constexpr Glyphs kAscii = {
    .times = "x",
    .arrow = "->",
    .dash = "-",
    .ellipsis = "...",
    .dot = "|",
    .plus_minus = "+-",
    .rule = "-",
    .axis_vertical = "|",
    .axis_tick_left = "+",
    .axis_corner = "+",
    .axis_horizontal = "-",
    .axis_tick_down = "+",
    .line_upper = "=",
    .line_lower = "=",
    .line_both = "=",
    .trail = ".",
    .markers = {"o", "x", "*", "#", "@", "%", "&", "$"},
};

std::string_view code_of(Paint paint) {
  switch (paint) {
    case Paint::none:
      return "";
    case Paint::bold:
      return "\x1b[1m";
    case Paint::dim:
      return "\x1b[2m";
    case Paint::red:
      return "\x1b[1;31m";
    case Paint::yellow:
      return "\x1b[1;33m";
    case Paint::green:
      return "\x1b[1;32m";
    case Paint::cyan:
      return "\x1b[1;36m";
    case Paint::magenta:
      return "\x1b[1;35m";
  }
  return "";
}

}  // namespace

Paint paint_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::visible_damage:
    case Verdict::masked_damage:
      return Paint::red;
    case Verdict::amplified:
    case Verdict::budget_sensitive:
      return Paint::yellow;
    case Verdict::improved:
      return Paint::cyan;
    case Verdict::clean:
      return Paint::green;
    case Verdict::inconclusive:
      return Paint::magenta;
  }
  return Paint::none;
}

std::string painted(std::string_view content, Paint paint, const TextStyle& style) {
  if (!style.color || paint == Paint::none || content.empty()) return std::string(content);
  return std::string(code_of(paint)).append(content).append("\x1b[0m");
}

const Glyphs& glyphs(const TextStyle& style) { return style.unicode ? kUnicode : kAscii; }

std::string shown_name(std::string_view name, int width, const TextStyle& style) {
  return truncated(safe(name, !style.unicode), width, glyphs(style).ellipsis);
}

}  // namespace unmask::text
