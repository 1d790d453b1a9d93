#include "unmask/json/text.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/base/utf8.h"

namespace unmask::json {

namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;
constexpr std::string_view kHexDigits = "0123456789abcdef";

/// Whether a byte stands for itself in a string.
bool is_plain(char byte) {
  return static_cast<unsigned char>(byte) >= 0x20 && byte != '"' && byte != '\\';
}

/// Whether eight bytes all are plain.
bool are_plain(const char* bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kHighBits = 0x80 * kOnes;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  // The high bit of the lowest byte that is below `limit` gets set, and perhaps of bytes above it.
  const auto has_below = [](std::uint64_t x, std::uint64_t limit) {
    return (x - limit * kOnes) & ~x;
  };
  return ((has_below(word, 0x20) | has_below(word ^ ('"' * kOnes), 1) |
           has_below(word ^ ('\\' * kOnes), 1)) &
          kHighBits) == 0;
}

/// How many bytes at the front need no escape.
std::size_t plain_bytes(std::string_view text) {
  std::size_t end = 0;
  while (end + sizeof(std::uint64_t) <= text.size() && are_plain(text.data() + end)) {
    end += sizeof(std::uint64_t);
  }
  while (end < text.size() && is_plain(text[end])) ++end;
  return end;
}

}  // namespace

void append_real(std::string& out, double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  const std::string_view text(digits.data(), end);
  out += text;
  if (text.find_first_of(".e") == std::string_view::npos) out += ".0";
}

std::string unescape(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  for (std::size_t at = 0; at < raw.size(); ++at) {
    if (raw[at] != '\\' || at + 1 == raw.size()) {
      out += raw[at];
      continue;
    }
    const char kind = raw[++at];
    switch (kind) {
      case '"':
      case '\\':
      case '/':
        out += kind;
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u': {
        const std::optional<UnicodeEscape> escape = unicode_escape(raw.substr(at - 1));
        if (!escape) {
          out += "\\u";
          break;
        }
        at += escape->length - 2;
        append_utf8(out, is_surrogate(escape->code_point) ? kReplacement : escape->code_point);
        break;
      }
      default:
        out += '\\';
        out += kind;
    }
  }
  return out;
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  while (true) {
    const std::size_t plain = plain_bytes(text);
    out += text.substr(0, plain);
    if (plain == text.size()) break;
    const char byte = text[plain];
    text.remove_prefix(plain + 1);
    switch (byte) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += "\\u00";
        out += kHexDigits[static_cast<std::uint8_t>(byte) >> 4U];
        out += kHexDigits[static_cast<std::uint8_t>(byte) & 0xFU];
    }
  }
  out += '"';
}

std::string describe_byte(char byte) {
  const auto value = static_cast<std::uint8_t>(byte);
  if (value > 0x20 && value < 0x7F) return std::string("'") + byte + "'";
  std::string text = "byte 0x";
  text += kHexDigits[value >> 4U];
  text += kHexDigits[value & 0xFU];
  return text;
}

}  // namespace unmask::json
