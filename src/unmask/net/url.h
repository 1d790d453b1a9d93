#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "unmask/base/error.h"

namespace unmask::net {

/// An `http` or `https` URL in parts.
struct Url {
  bool secure = false;
  std::string host;  ///< name or address, without the brackets of IPv6
  std::uint16_t port = 0;
  std::string path;   ///< begins with `/`
  std::string query;  ///< with its `?`; may hold a secret, so it stands in no message

  bool operator==(const Url&) const = default;
};

/// Errors: invalid_argument for another scheme, no host, a bad port, white space or control
/// characters, and for a user or password before the host: secrets have a place of their own.
/// A fragment is dropped.
[[nodiscard]] Result<Url> parse_url(std::string_view text);

/// `host`, `host:8000` or `[::1]:8000`: the port where it isn't the scheme's own.
[[nodiscard]] std::string authority(const Url& url);

/// The URL for messages: without its query.
[[nodiscard]] std::string shown(const Url& url);

}  // namespace unmask::net
