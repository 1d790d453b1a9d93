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

}  // namespace

void ContextWords::add(std::uint32_t message, std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    Class previous = class_of(text[at]);
    if (previous != Class::lower && previous != Class::upper) {
      // A word begins with a letter; what digits begin is passed over as a whole.
      ++at;
      if (previous == Class::digit) {
        while (at < text.size() && class_of(text[at]) != Class::other) ++at;
      }
      continue;
    }
    const std::size_t from = at;
    bool has_parts = false;
    std::size_t to = ++at;  // behind the last byte that is no joint
    for (; at < text.size(); ++at) {
      const Class here = class_of(text[at]);
      if (here == Class::other) break;
      if (here != Class::joint) {
        has_parts |= previous == Class::joint || (previous == Class::lower && here == Class::upper);
        to = at + 1;
      }
      previous = here;
    }
    if (!has_parts || to - from > kLongest) continue;
    const std::string_view word = text.substr(from, to - from);
    if (seen_.contains(word)) continue;
    seen_.emplace(word);
    words_.emplace_back(message, word);
  }
}

std::vector<std::pair<std::uint32_t, std::string>> ContextWords::take() {
  seen_.clear();
  return std::exchange(words_, {});
}

}  // namespace unmask
