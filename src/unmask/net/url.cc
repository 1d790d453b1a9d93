#include "unmask/net/url.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "unmask/base/error.h"

namespace unmask::net {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

std::uint16_t usual_port(bool secure) { return secure ? kHttpsPort : kHttpPort; }

std::optional<std::uint16_t> port_of(std::string_view digits) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc{} || end != digits.data() + digits.size() || port == 0) {
    return std::nullopt;
  }
  return port;
}

bool sendable(char byte) { return static_cast<unsigned char>(byte) > 0x20U && byte != 0x7F; }

}  // namespace

Result<Url> parse_url(std::string_view text) {
  const auto refused = [](std::string_view why) {
    // The text itself isn't repeated: it may hold a password.
    return fail(ErrorCode::invalid_argument, "not a usable URL: " + std::string(why) +
                                                 "; write http://HOST:PORT/PATH or https://");
  };
  Url url;
  if (text.starts_with("http://")) {
    text.remove_prefix(7);
  } else if (text.starts_with("https://")) {
    text.remove_prefix(8);
    url.secure = true;
  } else {
    return refused("it begins with neither http:// nor https://");
  }
  if (!std::ranges::all_of(text, sendable)) return refused("it holds blanks or control characters");
  text = text.substr(0, text.find('#'));
  const std::size_t host_end = std::min(text.find_first_of("/?"), text.size());
  const std::string_view host = text.substr(0, host_end);
  const std::string_view rest = text.substr(host_end);
  if (host.find('@') != std::string_view::npos) {
    return refused("user and password don't belong there, a key has a setting of its own");
  }
  url.port = usual_port(url.secure);
  std::size_t colon = host.rfind(':');
  if (host.starts_with('[')) {
    const std::size_t bracket = host.find(']');
    if (bracket == std::string_view::npos) return refused("a bracket of its address is missing");
    if (bracket + 1 < host.size() && host[bracket + 1] != ':') {
      return refused("something stands between address and port");
    }
    colon = bracket + 1 < host.size() ? bracket + 1 : std::string_view::npos;
    url.host = host.substr(1, bracket - 1);
  } else {
    url.host = host.substr(0, colon);
  }
  if (url.host.empty()) return refused("it names no host");
  if (colon != std::string_view::npos) {
    const std::optional<std::uint16_t> port = port_of(host.substr(colon + 1));
    if (!port) return refused("its port is no number from 1 to 65535");
    url.port = *port;
  }
  const std::size_t question = std::min(rest.find('?'), rest.size());
  url.path = rest.substr(0, question);
  if (url.path.empty()) url.path = "/";
  url.query = rest.substr(question);
  return url;
}

std::string authority(const Url& url) {
  std::string result = url.host.find(':') == std::string::npos ? url.host : '[' + url.host + ']';
  if (url.port != usual_port(url.secure)) result += ':' + std::to_string(url.port);
  return result;
}

std::string shown(const Url& url) {
  return (url.secure ? "https://" : "http://") + authority(url) + url.path;
}

}  // namespace unmask::net
