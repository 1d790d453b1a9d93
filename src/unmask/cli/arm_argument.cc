#include "unmask/cli/arm_argument.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/base/error.h"

namespace unmask::cli {
namespace {

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

bool looks_like_a_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' ||
           c == '+';
  });
}

ArmArgument split(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || !looks_like_a_name(std::string_view(word).substr(0, equals)))
    return {.name = "", .path = word};
  return {.name = word.substr(0, equals), .path = word.substr(equals + 1)};
}

// A name and nothing else: neither a path nor a file's name.
bool is_bare_name(const std::string& word) {
  return looks_like_a_name(word) && word != "-" && word.find('.') == std::string::npos &&
         !exists(word);
}

// What someone meant by words that are no NAME=PATH; empty if there is nothing to say.
std::string meant(std::span<const std::string> words, std::size_t i) {
  const std::string& word = words[i];
  const std::string next = i + 1 < words.size() ? words[i + 1] : std::string();
  if (word == "=") {
    return "write NAME=PATH without spaces" +
           (i > 0 && !next.empty() ? ": " + words[i - 1] + "=" + next : std::string());
  }
  if (word.starts_with('=') && !exists(word)) {
    return word + ": the arm's name is missing; write NAME=PATH without spaces" +
           (i > 0 ? ": " + words[i - 1] + word : std::string());
  }
  if (word.ends_with('=') && !exists(word)) {
    return word + ": the path is missing; write NAME=PATH without spaces" +
           (next.empty() ? std::string() : ": " + word + next);
  }
  if (is_bare_name(word)) {
    if (next.starts_with('=')) return {};  // told at the next word
    if (!next.empty() && exists(next)) {
      return word + ": there is no such file; to name the arm of the next one write " + word + "=" +
             next;
    }
  }
  const std::size_t equals = word.find('=');
  if (equals != std::string::npos && equals > 0) {
    const std::string name = word.substr(0, equals);
    const std::string path = word.substr(equals + 1);
    const bool there = exists(path) || path == "-";
    if (looks_like_a_name(name) && exists(word) && !there) {
      return word + ": this is read as the arm " + name + " and the file " + path +
             ", which is not there; for the file of the whole name write ./" + word;
    }
    if (!looks_like_a_name(name) && !exists(word) && there) {
      return word + ": '" + name +
             "' can't name an arm; names are of the letters a to z and A to Z, digits and _ - . +";
    }
  }
  const std::size_t colon = word.find(':');
  if (colon != std::string::npos && word.find('=') == std::string::npos && !exists(word) &&
      looks_like_a_name(std::string_view(word).substr(0, colon)) &&
      exists(word.substr(colon + 1))) {
    return word + ": there is no such file; to name the arm write " + word.substr(0, colon) + "=" +
           word.substr(colon + 1);
  }
  return {};
}

}  // namespace

Result<std::vector<ArmArgument>> arm_arguments(std::span<const std::string> words) {
  std::vector<ArmArgument> arms;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (std::string message = meant(words, i); !message.empty())
      return fail(ErrorCode::invalid_argument, std::move(message));
    arms.push_back(split(words[i]));
  }
  return arms;
}

std::vector<std::string> without_names(std::span<const std::string> words) {
  std::vector<std::string> paths;
  paths.reserve(words.size());
  for (const std::string& word : words) {
    ArmArgument argument = split(word);
    const bool named = !argument.name.empty() && !argument.path.empty() && !exists(word);
    paths.push_back(named ? std::move(argument.path) : word);
  }
  return paths;
}

}  // namespace unmask::cli
