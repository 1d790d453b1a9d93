#include "unmask/play/json_in_text.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace unmask::play {

std::optional<std::string_view> object_at(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '{') return std::nullopt;
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = at; i < text.size(); ++i) {
    const char byte = text[i];
    if (in_string) {
      if (byte == '\\') {
        ++i;
      } else if (byte == '"') {
        in_string = false;
      }
    } else if (byte == '"') {
      in_string = true;
    } else if (byte == '{') {
      ++depth;
    } else if (byte == '}' && --depth == 0) {
      return text.substr(at, i - at + 1);
    }
  }
  return std::nullopt;
}

}  // namespace unmask::play
