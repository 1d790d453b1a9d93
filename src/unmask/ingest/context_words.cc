#include "unmask/ingest/context_words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/episode/episode.h"

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

/// Parts of `name` between what no word has, and between double underscores: a word within the name
/// that is a tool's bare name holds at least one of them. None of a name of many parts.
std::vector<std::string_view> word_parts(std::string_view name) {
  constexpr std::size_t kMostParts = 4;
  std::vector<std::string_view> parts;
  std::size_t at = 0;
  while (at < name.size()) {
    if (class_of(name[at]) == Class::other || class_of(name[at]) == Class::joint) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < name.size() && class_of(name[end]) != Class::other &&
           name.substr(end, 2) != "__") {
      ++end;
    }
    if (parts.size() == kMostParts) return {};
    parts.push_back(name.substr(at, end - at));
    at = end;
  }
  return parts;
}

/// Place of `part` in `text` from `from` on; npos if there is none.
std::size_t find_part(std::string_view text, std::string_view part, std::size_t from) {
  if (from >= text.size()) return std::string_view::npos;  // memmem takes no null pointer
  const void* const found =
      // NOLINTNEXTLINE(misc-include-cleaner): GNU's <cstring> has it
      ::memmem(text.data() + from, text.size() - from, part.data(), part.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

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

std::vector<std::pair<std::uint32_t, std::string>> CallContext::take(
    std::span<const ToolCall> calls) {
  const std::vector<Text> texts = std::exchange(texts_, {});
  const std::deque<std::string> copies = std::exchange(copies_, {});
  // Names of failed calls, by their parts.
  std::map<std::string_view, std::vector<std::string_view>> names;
  for (const ToolCall& call : calls) {
    if (call.failed && !names.contains(call.name)) names.emplace(call.name, word_parts(call.name));
  }
  std::vector<std::pair<std::uint32_t, std::string>> found;
  if (names.empty()) return found;
  // The message of a name's first call.
  std::map<std::string_view, std::uint32_t> first_call;
  for (const ToolCall& call : calls) first_call.try_emplace(call.name, call.message);
  // Many names would be searched for many times: then every word is collected once.
  constexpr std::size_t kMostNames = 16;
  bool every_word = names.size() > kMostNames;
  for (const auto& [name, parts] : names) every_word |= parts.empty() && !name.empty();
  if (every_word) {
    ContextWords words;
    for (const Text& text : texts) words.add(text.message, text.text);
    found = words.take();
    std::erase_if(found, [&](const auto& word) {
      return std::ranges::none_of(std::views::keys(names), [&](std::string_view name) {
        return word.first < first_call.at(name) && name.find(word.second) != std::string_view::npos;
      });
    });
  } else {
    for (const auto& [name, parts] : names) {
      ContextWords words;
      for (const Text& text : texts) {
        if (text.message >= first_call.at(name)) break;
        for (const std::string_view part : parts) {
          std::size_t at = find_part(text.text, part, 0);
          while (at != std::string_view::npos) {
            // The run of letters, digits and joints around it decides which word it is.
            std::size_t begin = at;
            while (begin > 0 && class_of(text.text[begin - 1]) != Class::other) --begin;
            std::size_t end = at + part.size();
            while (end < text.text.size() && class_of(text.text[end]) != Class::other) ++end;
            words.add(text.message, text.text.substr(begin, end - begin));
            at = find_part(text.text, part, end);
          }
        }
      }
      for (auto& word : words.take()) {
        if (name.find(word.second) != std::string_view::npos) found.push_back(std::move(word));
      }
    }
    std::ranges::sort(found);
    const auto repeats = std::ranges::unique(found);
    found.erase(repeats.begin(), repeats.end());
  }
  return found;
}

}  // namespace unmask
