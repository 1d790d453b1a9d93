#include "unmask/json/text.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/base/utf8.h"

namespace unmask::json {

namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;
constexpr std::string_view kHexDigits = "0123456789abcdef";

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
  for (const char byte : text) {
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
        if (static_cast<std::uint8_t>(byte) < 0x20) {
          out += "\\u00";
          out += kHexDigits[static_cast<std::uint8_t>(byte) >> 4U];
          out += kHexDigits[static_cast<std::uint8_t>(byte) & 0xFU];
        } else {
          out += byte;
        }
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
