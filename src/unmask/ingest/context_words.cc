#include "unmask/ingest/context_words.h"

#include <array>

namespace unmask {

namespace {

enum class Class : std::uint8_t { other, lower, upper, digit, joint };

constexpr std::array<Class, 256> make_classes() {
  std::array<Class, 256> classes{};
  for (std::size_t byte = 'a'; byte <= 'z'; ++byte) classes[byte] = Class::lower;
  for (std::size_t byte = 'A'; byte <= 'Z'; ++byte) classes[byte] = Class::upper;
  for (std::size_t byte = '0'; byte <= '9'; ++byte) classes[byte] = Class::digit;
  classes['_'] = Class::joint;
  classes['-'] = Class::joint;
  return classes;
}

constexpr std::array<Class, 256> kClasses = make_classes();

Class class_of(char byte) { return kClasses[static_cast<std::uint8_t>(byte)]; }

/// Longer runs are no tool names (base64, hashes).
constexpr std::size_t kLongest = 128;

/// Begins with a letter and has a second part; joints at the ends don't count.
bool is_identifier(std::string_view word) {
  if (word.size() < 3 || word.size() > kLongest) return false;
  const Class first = class_of(word[0]);
  if (first != Class::lower && first != Class::upper) return false;
  for (std::size_t i = 1; i < word.size(); ++i) {
    const Class here = class_of(word[i]);
    if (here == Class::joint) return true;
    if (here == Class::upper && class_of(word[i - 1]) == Class::lower) return true;
  }
  return false;
}

}  // namespace

void ContextWords::add(std::uint32_t message, std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && class_of(text[at]) == Class::other) ++at;
    std::size_t from = at;
    while (at < text.size() && class_of(text[at]) != Class::other) ++at;
    std::size_t to = at;
    while (from < to && class_of(text[from]) == Class::joint) ++from;
    while (to > from && class_of(text[to - 1]) == Class::joint) --to;
    const std::string_view word = text.substr(from, to - from);
    if (!is_identifier(word)) continue;
    if (const auto [place, added] = seen_.emplace(word); added)
      words_.emplace_back(message, *place);
  }
}

std::vector<std::pair<std::uint32_t, std::string>> ContextWords::take() {
  seen_.clear();
  return std::exchange(words_, {});
}

}  // namespace unmask
