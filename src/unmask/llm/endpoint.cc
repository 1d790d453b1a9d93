#include "unmask/llm/endpoint.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <string_view>

#include "unmask/base/error.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"
#include "unmask/net/url.h"

namespace unmask::llm {
namespace {

constexpr std::string_view kPath = "/chat/completions";

/// The base URL, which may name the completions already, with another end of its path.
std::string url_of(const Endpoint& endpoint, std::string_view end) {
  const Result<net::Url> url = net::parse_url(endpoint.base_url);
  if (!url) return endpoint.base_url;
  net::Url full = *url;
  while (full.path.ends_with('/')) full.path.pop_back();
  if (full.path.ends_with(kPath)) full.path.resize(full.path.size() - kPath.size());
  full.path += end;
  return shown(full) + full.query;
}

}  // namespace

Result<void> check(const Endpoint& endpoint) {
  const auto refused = [](std::string_view setting, std::string_view why) {
    return fail(ErrorCode::invalid_argument, std::string(setting) + ": " + std::string(why));
  };
  const Result<net::Url> url = net::parse_url(endpoint.base_url);
  if (!url) return refused("base_url", url.error().message);
  if (!std::ranges::all_of(endpoint.api_key.reveal(),
                           [](char letter) { return letter > ' ' && letter <= '~'; })) {
    return refused("api_key",
                   "it holds characters that can't be sent (a line break, a blank, a "
                   "letter outside ASCII); give the key alone");
  }
  if (!endpoint.extra_body.empty()) {
    json::Parser parser;
    const Result<json::Parsed> extra = parser.parse(endpoint.extra_body);
    if (!extra) return refused("extra_body", "not JSON: " + extra.error().message);
    if (!extra->root.is_object()) {
      return refused("extra_body", "it is " + std::string(name_of(extra->root.kind())) +
                                       "; write a JSON object such as {\"top_p\": 0.9}");
    }
  }
  if (endpoint.temperature &&
      !(std::isfinite(*endpoint.temperature) && *endpoint.temperature >= 0.0)) {
    return refused("temperature", "it must be 0 or more");
  }
  if (endpoint.max_concurrency == 0) return refused("max_concurrency", "it must be 1 or more");
  if (endpoint.timeout <= std::chrono::milliseconds(0)) {
    return refused("timeout", "it must be more than 0");
  }
  if (endpoint.deadline <= std::chrono::milliseconds(0)) {
    return refused("deadline", "it must be more than 0");
  }
  return {};
}

std::string completions_url(const Endpoint& endpoint) { return url_of(endpoint, kPath); }

std::string models_url(const Endpoint& endpoint) { return url_of(endpoint, "/models"); }

std::string shown(const Endpoint& endpoint) {
  const Result<net::Url> url = net::parse_url(endpoint.base_url);
  return url ? shown(*url) : "the endpoint";
}

}  // namespace unmask::llm
