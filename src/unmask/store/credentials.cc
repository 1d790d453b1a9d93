#include "unmask/store/credentials.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include "unmask/base/error.h"
#include "unmask/base/secrets.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"

namespace unmask::store {

namespace {

/// Lower case, `-` and space as `_`.
std::string folded(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char byte) {
    if (byte == '-' || byte == ' ') return '_';
    return static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
  });
  return out;
}

bool is_placeholder(std::string_view text) {
  constexpr std::array<std::string_view, 9> kWords = {
      "", "empty", "dummy", "none", "null", "x", "not_needed", "no_key", "[removed]"};
  return std::ranges::find(kWords, folded(text)) != kWords.end();
}

/// The path of the first text that is a credential; empty if there is none.
std::string credential_in(const json::Value& value, std::string_view key, const std::string& path) {
  if (const auto text = value.string()) {
    const bool suspicious =
        (names_a_credential(key) && !is_placeholder(*text)) || without_secrets(*text) != *text;
    return suspicious ? path : std::string();
  }
  for (const json::Member member : value.members()) {
    const std::string inner =
        path.empty() ? std::string(member.key) : path + '.' + std::string(member.key);
    if (auto found = credential_in(member.value, member.key, inner); !found.empty()) return found;
  }
  std::size_t index = 0;
  for (const json::Value element : value.elements()) {
    const std::string inner = path + '[' + std::to_string(index++) + ']';
    if (auto found = credential_in(element, key, inner); !found.empty()) return found;
  }
  return {};
}

}  // namespace

bool names_a_credential(std::string_view key) {
  const std::string name = folded(key);
  for (const std::string_view suffix : {"_env", "_var", "_file"}) {
    if (name.ends_with(suffix)) return false;
  }
  constexpr std::array<std::string_view, 11> kWords = {
      "api_key", "apikey",     "access_key",   "private_key", "secret", "password",
      "passwd",  "credential", "access_token", "auth_token",  "bearer"};
  // Narrower than what importers leave out (ingest/secrets.h): a setting that only sounds like one,
  // such as tokenizer_mode, must not stop a run.
  return name == "key" || name == "token" || name == "cookie" || name.ends_with("_token") ||
         name.ends_with("auth") || name.ends_with("authorization") ||
         std::ranges::any_of(
             kWords, [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

Result<void> refuse_credentials(std::string_view json, const std::string& what) {
  json::Parser parser;
  const auto parsed = parser.parse(json);
  if (!parsed || !parsed->root.is_object()) {
    return fail(ErrorCode::invalid_argument, what + " must be a JSON object.");
  }
  if (const std::string found = credential_in(parsed->root, {}, {}); !found.empty()) {
    return fail(ErrorCode::invalid_argument,
                what + ": " + found +
                    " looks like a credential, and a run's file must hold none. Give keys by the "
                    "environment (OPENAI_API_KEY) or name the variable that holds them.");
  }
  return {};
}

}  // namespace unmask::store
