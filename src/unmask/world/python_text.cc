#include "unmask/world/python_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "unmask/base/utf8.h"
#include "unmask/world/unicode_tables.h"

namespace unmask::world {
namespace {

std::uint32_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool is_continuation(std::string_view text, std::size_t at) {
  return at < text.size() && (byte_at(text, at) & 0xC0U) == 0x80U;
}

std::uint32_t lower_of(std::uint32_t code_point) {
  const std::span<const LowerRun> runs = lower_runs();
  auto run = std::ranges::upper_bound(runs, code_point, {}, &LowerRun::first);
  if (run == runs.begin()) return code_point;
  --run;
  if (code_point > run->last || (code_point - run->first) % run->step != 0) return code_point;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(code_point) + run->distance);
}

bool is_space(std::uint32_t code_point) {
  switch (code_point) {
    case 0x20:
    case 0x85:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
      return true;
    default:
      return (code_point >= 0x09 && code_point <= 0x0D) ||
             (code_point >= 0x1C && code_point <= 0x1F) ||
             (code_point >= 0x2000 && code_point <= 0x200A);
  }
}

}  // namespace

CodePoint decode_code_point(std::string_view text) {
  const std::uint32_t lead = byte_at(text, 0);
  if (lead >= 0xC2 && lead < 0xE0 && is_continuation(text, 1)) {
    return {((lead & 0x1FU) << 6U) | (byte_at(text, 1) & 0x3FU), 2};
  }
  if (lead >= 0xE0 && lead < 0xF0 && is_continuation(text, 1) && is_continuation(text, 2)) {
    return {
        ((lead & 0x0FU) << 12U) | ((byte_at(text, 1) & 0x3FU) << 6U) | (byte_at(text, 2) & 0x3FU),
        3};
  }
  if (lead >= 0xF0 && lead < 0xF5 && is_continuation(text, 1) && is_continuation(text, 2) &&
      is_continuation(text, 3)) {
    return {((lead & 0x07U) << 18U) | ((byte_at(text, 1) & 0x3FU) << 12U) |
                ((byte_at(text, 2) & 0x3FU) << 6U) | (byte_at(text, 3) & 0x3FU),
            4};
  }
  return {lead, 1};
}

std::size_t code_point_count(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    text.remove_prefix(decode_code_point(text).bytes);
    ++count;
  }
  return count;
}

bool is_printable(std::uint32_t code_point) {
  if (code_point < 0x7F) return code_point >= 0x20;
  const std::span<const CodePointRange> ranges = printable_ranges();
  const auto after = std::ranges::upper_bound(ranges, code_point, {}, &CodePointRange::first);
  return after != ranges.begin() && code_point <= std::prev(after)->last;
}

std::string python_lower(std::string_view text) {
  std::string out(text);
  // ASCII in place; what follows the first other character is made anew.
  std::size_t ascii = 0;
  for (; ascii < out.size() && static_cast<unsigned char>(out[ascii]) < 0x80; ++ascii) {
    char& byte = out[ascii];
    if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
  }
  out.resize(ascii);
  text.remove_prefix(ascii);
  while (!text.empty()) {
    const CodePoint next = decode_code_point(text);
    if (next.bytes == 1) {
      const char byte = text.front();
      out += byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
    } else if (next.value == 0x130) {
      append_utf8(out, 'i');
      append_utf8(out, 0x307);
    } else {
      append_utf8(out, lower_of(next.value));
    }
    text.remove_prefix(next.bytes);
  }
  return out;
}

bool is_blank(std::string_view text) {
  while (!text.empty()) {
    const CodePoint next = decode_code_point(text);
    if (!is_space(next.value)) return false;
    text.remove_prefix(next.bytes);
  }
  return true;
}

}  // namespace unmask::world
