#include "unmask/net/http_message.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace unmask::net {
namespace {

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

std::optional<std::string_view> find_header(std::span<const HttpHeader> headers,
                                            std::string_view name) {
  for (const HttpHeader& header : headers) {
    if (std::ranges::equal(header.name, name, {}, lower, lower)) return header.value;
  }
  return std::nullopt;
}

std::string_view name_of(HttpFault fault) {
  switch (fault) {
    case HttpFault::bad_request:
      return "bad_request";
    case HttpFault::resolve:
      return "resolve";
    case HttpFault::connect:
      return "connect";
    case HttpFault::tls:
      return "tls";
    case HttpFault::cut_off:
      return "cut_off";
    case HttpFault::malformed:
      return "malformed";
    case HttpFault::too_large:
      return "too_large";
    case HttpFault::timed_out:
      return "timed_out";
    case HttpFault::cancelled:
      return "cancelled";
  }
  return "";
}

}  // namespace unmask::net
