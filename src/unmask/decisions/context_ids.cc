#include "unmask/decisions/context_ids.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace unmask::decisions {
namespace {

constexpr std::string_view kMarks = "_#@.+-";
/// Ends of sentences and dashes around words.
constexpr std::string_view kPunctuation = ".+-@_";

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

bool is_letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }

bool is_part(char byte) {
  return is_digit(byte) || is_letter(byte) || kMarks.find(byte) != std::string_view::npos;
}

}  // namespace

bool looks_like_id(std::string_view value) {
  constexpr std::size_t kShortest = 4;
  constexpr std::size_t kLongest = 64;
  return value.size() >= kShortest && value.size() <= kLongest &&
         std::ranges::all_of(value, is_part) && std::ranges::any_of(value, is_digit);
}

std::string shape_of(std::string_view id) {
  std::string shape;
  for (const char byte : id) {
    const char sort = is_digit(byte) ? '9' : is_letter(byte) ? 'a' : byte;
    const bool goes_on = !shape.empty() && shape.back() == sort && (sort == '9' || sort == 'a');
    if (!goes_on) shape += sort;
  }
  return shape;
}

std::string altered(std::string id) {
  const auto last = std::ranges::find_if(id.rbegin(), id.rend(), is_digit);
  if (last != id.rend()) *last = *last == '9' ? '0' : static_cast<char>(*last + 1);
  return id;
}

void ContextIds::add(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_part(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_part(text[end])) ++end;
    std::string_view word = text.substr(at, end - at);
    at = end;
    while (!word.empty() && kPunctuation.find(word.back()) != std::string_view::npos) {
      word.remove_suffix(1);
    }
    while (!word.empty() && kPunctuation.find(word.front()) != std::string_view::npos) {
      word.remove_prefix(1);
    }
    if (looks_like_id(word) && known_.emplace(word).second) order_.emplace_back(word);
  }
}

std::vector<std::string> ContextIds::of_shape(std::string_view shape) const {
  std::vector<std::string> found;
  for (auto id = order_.rbegin(); id != order_.rend(); ++id) {
    if (shape_of(*id) == shape) found.push_back(*id);
  }
  return found;
}

}  // namespace unmask::decisions
