#include "unmask/ingest/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "unmask/json/write.h"

namespace unmask {

namespace {

constexpr int kDeepestSettings = 3;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char byte) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
  });
  return out;
}

/// Keys that hold credentials. `max_tokens` and `logit_bias` are none.
bool names_a_secret(std::string_view key) {
  const std::string name = lower(key);
  if (name.find("tokens") != std::string::npos) return false;
  constexpr std::array<std::string_view, 9> kWords = {
      "key", "token", "secret", "password", "auth", "header", "cookie", "credential", "bearer"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

bool is_transport(std::string_view key) {
  const std::string name = lower(key);
  constexpr std::array<std::string_view, 7> kWords = {"rate_limit", "retr",     "timeout", "cost",
                                                      "cache",      "metadata", "debug"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

bool is_known_text(std::string_view key) {
  constexpr std::array<std::string_view, 8> kKeys = {
      "reasoning_effort",        "tool_choice", "service_tier", "verbosity", "truncation",
      "guided_decoding_backend", "type",        "effort"};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

bool is_url(std::string_view key) {
  return key == "base_url" || key == "api_base" || key == "endpoint";
}

/// Host of a URL without user, port and path.
std::string host_of(std::string_view url) {
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos) {
    url.remove_prefix(scheme + 3);
  }
  url = url.substr(0, url.find_first_of("/?#"));
  if (const std::size_t user = url.rfind('@'); user != std::string_view::npos) {
    url.remove_prefix(user + 1);
  }
  return std::string(url.substr(0, url.find(':')));
}

void collect(const json::Value& object, const std::string& prefix, int depth,
             std::map<std::string, std::string>& settings) {
  for (const json::Member member : object.members()) {
    const std::string name = prefix + std::string(member.key);
    if (names_a_secret(member.key) || is_transport(member.key)) continue;
    switch (member.value.kind()) {
      case json::Kind::number:
      case json::Kind::boolean:
        // 0 and 0.0 are one setting.
        settings[name] = json::to_canonical_json(member.value);
        break;
      case json::Kind::string:
        if (is_url(member.key)) {
          settings[prefix + "endpoint"] = host_of(member.value.text());
        } else if (is_known_text(member.key)) {
          settings[name] = member.value.text();
        }
        break;
      case json::Kind::object:
        if (depth < kDeepestSettings) collect(member.value, name + '.', depth + 1, settings);
        break;
      case json::Kind::array:
      case json::Kind::null:
      case json::Kind::missing:
        break;
    }
  }
}

}  // namespace

std::map<std::string, std::string> sampling_settings(const json::Value& llm_args) {
  std::map<std::string, std::string> settings;
  collect(llm_args, "", 0, settings);
  return settings;
}

}  // namespace unmask
