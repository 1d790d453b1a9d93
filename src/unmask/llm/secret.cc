#include "unmask/llm/secret.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace unmask::llm {
namespace {

void replace_all(std::string& text, std::string_view what) {
  constexpr std::string_view kInstead = "[redacted]";
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + kInstead.size())) {
    text.replace(at, what.size(), kInstead);
  }
}

}  // namespace

std::string Secret::redact(std::string text) const {
  if (text_.size() < kShortestRedacted) return text;
  replace_all(text, text_);
  if (text_.find('/') == std::string::npos) return text;
  std::string escaped;
  for (const char letter : text_) {
    if (letter == '/') escaped += '\\';
    escaped += letter;
  }
  replace_all(text, escaped);
  return text;
}

}  // namespace unmask::llm
