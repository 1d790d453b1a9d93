#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace unmask::net {

struct HttpHeader {
  std::string name;
  std::string value;

  bool operator==(const HttpHeader&) const = default;
};

/// `Host`, `Content-Length` and `Connection` are the client's to write.
struct HttpRequest {
  std::string method = "GET";
  std::string url;  ///< `http://` or `https://`
  std::vector<HttpHeader> headers;
  std::string body;

  bool operator==(const HttpRequest&) const = default;
};

/// A whole response.
struct HttpResponse {
  int status = 0;
  std::vector<HttpHeader> headers;  ///< in their order
  std::string body;                 ///< transfer coding undone
  double first_byte_seconds = 0.0;  ///< from leaving the queue to the first byte
  double seconds = 0.0;             ///< from leaving the queue to the last byte

  bool operator==(const HttpResponse&) const = default;
};

/// Value of the first header `name`, in any case; nullopt if there is none.
[[nodiscard]] std::optional<std::string_view> find_header(std::span<const HttpHeader> headers,
                                                          std::string_view name);

/// Why there is no whole response.
enum class HttpFault : std::uint8_t {
  bad_request,  ///< no such URL, or a header that can't be sent
  resolve,      ///< no such host
  connect,      ///< refused, unreachable, or not connected in time
  tls,          ///< no common protocol, or a certificate that isn't trusted
  cut_off,      ///< the connection ended before the response did
  malformed,    ///< what came is no HTTP
  too_large,    ///< the response exceeds the limit
  timed_out,    ///< the deadline passed
  cancelled,
};

/// `bad_request`, `resolve` and so on.
[[nodiscard]] std::string_view name_of(HttpFault fault);

struct HttpError {
  HttpFault fault = HttpFault::connect;
  std::string message;   ///< names the host, never the query, a header or the body
  bool lasting = false;  ///< the same request can't succeed: a certificate, a bad URL
  int status = 0;        ///< of the response that began; 0 if none did
  std::string body;      ///< what came of its body

  bool operator==(const HttpError&) const = default;
};

using HttpResult = tl::expected<HttpResponse, HttpError>;

}  // namespace unmask::net
