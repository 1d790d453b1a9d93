#include "unmask/json/text.h"

#include <array>
#include <charconv>

namespace unmask::json {

namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;
constexpr std::string_view kHexDigits = "0123456789abcdef";

std::uint8_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<std::uint8_t>(text[at]);
}

}  // namespace

std::optional<std::uint32_t> hex4(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  std::uint32_t value = 0;
  for (const char digit : text.substr(0, 4)) {
    value <<= 4U;
    if (digit >= '0' && digit <= '9') {
      value |= static_cast<std::uint32_t>(digit - '0');
    } else if (digit >= 'a' && digit <= 'f') {
      value |= static_cast<std::uint32_t>(digit - 'a' + 10);
    } else if (digit >= 'A' && digit <= 'F') {
      value |= static_cast<std::uint32_t>(digit - 'A' + 10);
    } else {
      return std::nullopt;
    }
  }
  return value;
}

void append_real(std::string& out, double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  const std::string_view text(digits.data(), end);
  out += text;
  if (text.find_first_of(".e") == std::string_view::npos) out += ".0";
}

void append_utf8(std::string& out, std::uint32_t code_point) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0U | (code_point >> 6U));
    put(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    put(0xE0U | (code_point >> 12U));
    put(0x80U | ((code_point >> 6U) & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  } else {
    put(0xF0U | (code_point >> 18U));
    put(0x80U | ((code_point >> 12U) & 0x3FU));
    put(0x80U | ((code_point >> 6U) & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  }
}

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint8_t lead = byte_at(text, 0);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  // The second byte's range excludes overlong forms, surrogates and what lies beyond U+10FFFF.
  std::uint8_t low = 0x80;
  std::uint8_t high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (text.size() < length) return 0;
  if (byte_at(text, 1) < low || byte_at(text, 1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0U) != 0x80U) return 0;
  }
  return length;
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
        const auto unit = hex4(raw.substr(at + 1));
        if (!unit) {
          out += "\\u";
          break;
        }
        at += 4;
        std::uint32_t code_point = *unit;
        if (code_point >= 0xD800 && code_point <= 0xDFFF) {
          code_point = kReplacement;
          if (*unit < 0xDC00 && raw.substr(at + 1, 2) == "\\u") {
            const auto low = hex4(raw.substr(at + 3));
            if (low && *low >= 0xDC00 && *low <= 0xDFFF) {
              code_point = 0x10000 + ((*unit - 0xD800) << 10U) + (*low - 0xDC00);
              at += 6;
            }
          }
        }
        append_utf8(out, code_point);
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
