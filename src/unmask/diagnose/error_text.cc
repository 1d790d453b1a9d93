#include "unmask/diagnose/error_text.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "unmask/base/utf8.h"

namespace unmask {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80U;
}

/// What harnesses put in front of a tool's own words.
bool remove_wrapper(std::string& text) {
  static constexpr std::array<std::string_view, 5> kPrefixes = {
      "error: ", "toolexception: ", "toolerror: ", "valueerror: ", "exception: "};
  for (const std::string_view prefix : kPrefixes) {
    if (text.starts_with(prefix)) {
      text.erase(0, prefix.size());
      return true;
    }
  }
  static constexpr std::array<std::string_view, 3> kNamed = {
      "error executing tool ", "error running tool ", "error calling tool "};
  for (const std::string_view prefix : kNamed) {
    if (!text.starts_with(prefix)) continue;
    const auto colon = text.find(": ", prefix.size());
    if (colon == std::string::npos) continue;
    text.erase(0, colon + 2);
    return true;
  }
  return false;
}

/// `text` in lower case with runs of white space made one space, none in front.
std::string folded(std::string_view text) {
  std::string result;
  for (const char c : lower_case(text)) {
    if (!is_space(c)) {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  return result;
}

/// Leaves of `{"error": "words"}` the words: tools behind JSON interfaces wrap them so.
bool remove_json_wrapper(std::string& text) {
  constexpr std::string_view kKey = "{\"error\":";
  constexpr std::string_view kSpacedKey = "{ \"error\":";
  std::size_t at = text.starts_with(kKey)         ? kKey.size()
                   : text.starts_with(kSpacedKey) ? kSpacedKey.size()
                                                  : 0;
  if (at == 0) return false;
  if (at < text.size() && text[at] == ' ') ++at;
  if (at >= text.size() || text[at] != '"') return false;
  std::string words;
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] != '\\') {
      words += text[at];
    } else if (const auto escape = unicode_escape(std::string_view(text).substr(at));
               escape && !is_surrogate(escape->code_point)) {
      const bool control = escape->code_point < 0x20U || escape->code_point == 0x7FU;
      append_utf8(words, control ? U' ' : escape->code_point);
      at += escape->length - 1;
    } else if (std::string_view(text).substr(at, 2) == "\\u") {
      words += '\\';  // no escape that stands for anything: kept as it is
    } else if (++at < text.size()) {
      const bool space = std::string_view("ntrbf").find(text[at]) != std::string_view::npos;
      words += space ? ' ' : text[at];
    }
  }
  text = folded(words);
  return true;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const auto byte = static_cast<unsigned char>(lower[i]);
    const bool ascii = byte >= 'A' && byte <= 'Z';
    // U+00C0..U+00DE but the multiplication sign
    const bool latin1 = i > 0 && static_cast<unsigned char>(lower[i - 1]) == 0xC3U &&
                        byte >= 0x80U && byte <= 0x9EU && byte != 0x97U;
    if (ascii || latin1) lower[i] = static_cast<char>(byte + 0x20U);
  }
  return lower;
}

std::string prepared_error_text(std::string_view text) {
  std::string prepared = folded(text.substr(0, kMatchedBytes));
  // Wrappers nest: an outer harness reports what an inner one said.
  while (remove_wrapper(prepared) || remove_json_wrapper(prepared)) {
  }
  if (prepared == "error:") prepared.clear();
  while (!prepared.empty() && prepared.back() == ' ') prepared.pop_back();
  return prepared;
}

bool covers(std::string_view pattern, std::string_view text) {
  const auto first_star = pattern.find('*');
  if (first_star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, first_star))) return false;
  text.remove_prefix(first_star);
  pattern.remove_prefix(first_star + 1);
  // Each piece between stars at its earliest place: an earlier place never hurts a later piece.
  for (auto star = pattern.find('*'); star != std::string_view::npos; star = pattern.find('*')) {
    const std::string_view piece = pattern.substr(0, star);
    const auto at = text.find(piece);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + piece.size());
    pattern.remove_prefix(star + 1);
  }
  return text.ends_with(pattern);
}

std::size_t find_word(std::string_view text, std::string_view word) {
  if (word.empty()) return std::string_view::npos;
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool starts = at == 0 || !is_word_byte(text[at - 1]);
    const bool ends = end == text.size() || !is_word_byte(text[end]);
    if (starts && ends) return at;
  }
  return std::string_view::npos;
}

}  // namespace unmask
