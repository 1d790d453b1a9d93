#include "unmask/report/terminal_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/report/character_width.h"

namespace unmask::text {
namespace {

std::string hexadecimal(char32_t value, std::size_t least_digits) {
  char digits[8];
  const auto end =
      std::to_chars(std::begin(digits), std::end(digits), static_cast<std::uint32_t>(value), 16);
  std::string text(digits, end.ptr);
  if (text.size() < least_digits) text.insert(0, least_digits - text.size(), '0');
  return text;
}

// Bytes of the longest prefix of `text` that takes at most `width` columns, with the marks that
// stand on its last character.
std::size_t prefix_bytes(std::string_view text, int width) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const DecodedCharacter character = decode_character(text.substr(bytes));
    width -= character.valid ? character_width(character.code_point) : 1;
    if (width < 0) break;
    bytes += character.bytes;
  }
  return bytes;
}

std::string spaced(std::string_view line) {
  std::string result;
  for (std::size_t i = 0; i < line.size();) {
    if (line.substr(i).starts_with(kNoBreak)) {
      result.push_back(' ');
      i += kNoBreak.size();
    } else {
      result.push_back(line[i++]);
    }
  }
  return result;
}

// Typographic signs, of our own sentences and of titles, as plain text writes them; empty for
// others.
std::string_view ascii_for(char32_t code_point) {
  switch (code_point) {
    case 0x00A0:
    case 0x2009:
      return " ";
    case 0x00B7:
    case 0x2013:
    case 0x2014:
    case 0x2212:
      return "-";
    case 0x00D7:
      return "x";
    case 0x00B1:
      return "+-";
    case 0x2018:
    case 0x2019:
      return "'";
    case 0x201C:
    case 0x201D:
      return "\"";
    case 0x2026:
      return "...";
    case 0x2192:
      return "->";
    default:
      return {};
  }
}

}  // namespace

std::string safe(std::string_view text, bool ascii) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const DecodedCharacter character = decode_character(text);
    if (!character.valid) {
      const auto byte = static_cast<unsigned char>(text.front());
      result.append("\\x").append(hexadecimal(byte, 2));
    } else if (character.code_point < 0x80 && is_deceptive(character.code_point)) {
      result.append("\\x").append(hexadecimal(character.code_point, 2));
    } else if (ascii && !ascii_for(character.code_point).empty()) {
      result.append(ascii_for(character.code_point));
    } else if (is_deceptive(character.code_point) || (ascii && character.code_point >= 0x80)) {
      result.append("\\u{").append(hexadecimal(character.code_point, 4)).append("}");
    } else {
      result.append(text.substr(0, character.bytes));
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

std::string safe_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += safe(text.substr(0, end));
    if (end < text.size()) result.push_back('\n');
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::vector<std::string> hanging_lines(std::string_view label, std::string_view text) {
  std::vector<std::string> lines;
  const std::string indent = repeated(" ", display_width(label));
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line(lines.empty() ? label : std::string_view(indent));
    lines.push_back(line.append(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return lines;
}

std::string truncated(std::string_view text, int width, std::string_view ellipsis) {
  if (display_width(text) <= width) return std::string(text);
  const int room = width - display_width(ellipsis);
  if (room < 0) return std::string(text.substr(0, prefix_bytes(text, std::max(width, 0))));
  return std::string(text.substr(0, prefix_bytes(text, room))).append(ellipsis);
}

std::string padded_right(std::string_view text, int width) {
  std::string result(text);
  result.append(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
  return result;
}

std::string padded_left(std::string_view text, int width) {
  std::string result(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
  return result.append(text);
}

std::vector<std::string> wrapped(std::string_view text, int width) {
  std::vector<std::string> lines;
  std::string line;
  const auto flush = [&] {
    if (!line.empty()) lines.push_back(spaced(line));
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const int needed = display_width(word) + (line.empty() ? 0 : display_width(line) + 1);
    if (needed > width) flush();
    while (display_width(word) > width) {
      const std::size_t bytes = std::max(prefix_bytes(word, width), decode_character(word).bytes);
      lines.push_back(spaced(word.substr(0, bytes)));
      word.remove_prefix(bytes);
    }
    if (!line.empty() && !word.empty()) line.push_back(' ');
    line.append(word);
  }
  flush();
  return lines;
}

std::string repeated(std::string_view piece, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result.append(piece);
  return result;
}

}  // namespace unmask::text
