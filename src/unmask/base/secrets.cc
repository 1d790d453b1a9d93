#include "unmask/base/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

namespace unmask {

namespace {

constexpr std::string_view kRemoved = "[removed]";

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char byte) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
  });
  return out;
}

bool is_token_byte(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '-' || byte == '_' ||
         byte == '.' || byte == '*' || byte == '+' || byte == '/' || byte == '=';
}

std::size_t token_end(std::string_view text, std::size_t from) {
  while (from < text.size() && is_token_byte(text[from])) ++from;
  return from;
}

/// Beginnings of the keys that providers hand out.
constexpr std::array<std::string_view, 9> kKeyPrefixes = {"sk-",  "hf_",  "gsk_", "xai-", "AIza",
                                                          "ghp_", "key-", "pk-",  "AKIA"};
/// What stands before a credential; lower case.
constexpr std::array<std::string_view, 10> kLabels = {
    "bearer ",  "api_key", "api-key",      "apikey",        "api key",
    "password", "secret",  "access_token", "authorization", "client_secret"};

/// Names of a URL's query parameters that hold a credential; lower case.
constexpr std::array<std::string_view, 10> kParameters = {
    "key",          "api_key", "api-key",   "apikey", "token",
    "access_token", "sig",     "signature", "secret", "password"};

/// How long `?name=` or `&name=` at the beginning of `folded` is; 0 if it is none.
std::size_t parameter_length(std::string_view folded) {
  if (!folded.starts_with('?') && !folded.starts_with('&')) return 0;
  const std::size_t equals = folded.find('=');
  if (equals == std::string_view::npos) return 0;
  const std::string_view name = folded.substr(1, equals - 1);
  const bool is_secret =
      std::find(kParameters.begin(), kParameters.end(), name) != kParameters.end();
  return is_secret ? equals + 1 : 0;
}

}  // namespace

std::string without_secrets(std::string_view text) {
  const std::string folded = lower(text);
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const bool word_starts = at == 0 || !is_token_byte(text[at - 1]);
    const std::string_view rest = text.substr(at);
    if (word_starts) {
      const bool is_key =
          std::any_of(kKeyPrefixes.begin(), kKeyPrefixes.end(), [&](std::string_view prefix) {
            return rest.starts_with(prefix) && token_end(rest, 0) >= prefix.size() + 6;
          });
      if (is_key) {
        out += kRemoved;
        at = token_end(text, at);
        continue;
      }
    }
    const std::string_view folded_rest = std::string_view(folded).substr(at);
    if (const std::size_t name = parameter_length(folded_rest); name > 0) {
      const std::size_t stop = std::min(text.find_first_of("&# \t\r\n\"'", at + name), text.size());
      out += text.substr(at, name);
      if (stop > at + name) out += kRemoved;
      at = stop;
      continue;
    }
    const auto* const label =
        std::find_if(kLabels.begin(), kLabels.end(),
                     [&](std::string_view word) { return folded_rest.starts_with(word); });
    if (label != kLabels.end()) {
      // The label, then `=`, `:`, quotes and spaces, then the credential. Prose after the label (a
      // word without digits) stays.
      std::size_t from = at + label->size();
      while (from < text.size() &&
             std::string_view(" :='\"").find(text[from]) != std::string_view::npos) {
        ++from;
      }
      const std::string_view credential = text.substr(from, token_end(text, from) - from);
      const bool has_digit = std::any_of(credential.begin(), credential.end(), [](char byte) {
        return std::isdigit(static_cast<unsigned char>(byte)) != 0 || byte == '*';
      });
      out += text.substr(at, from - at);
      at = from;
      if (credential.size() >= 4 && has_digit) {
        out += kRemoved;
        at += credential.size();
      }
      continue;
    }
    if (rest.starts_with("://")) {
      const std::size_t stop = rest.find_first_of("/ \t\n\"'", 3);
      const std::size_t user = rest.substr(0, stop).rfind('@');
      if (user != std::string_view::npos) {
        out += "://";
        out += kRemoved;
        at += user;
        continue;
      }
    }
    out += text[at++];
  }
  return out;
}

}  // namespace unmask
