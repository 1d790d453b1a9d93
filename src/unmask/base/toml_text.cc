#include "unmask/base/toml_text.h"

#include <string>
#include <string_view>

namespace unmask {

std::string toml_string(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += byte;
    } else if (code < 0x20 || code == 0x7F) {
      out += "\\u00";
      out += kDigits[code >> 4U];
      out += kDigits[code & 0xFU];
    } else {
      out += byte;
    }
  }
  return out + '"';
}

}  // namespace unmask
