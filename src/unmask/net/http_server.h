#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/net/http_message.h"

namespace unmask::net {

/// The head of a request as a server reads it.
struct ServedRequest {
  std::string method;
  std::string target;  ///< begins with `/`
  std::vector<HttpHeader> headers;

  bool operator==(const ServedRequest&) const = default;
};

/// Reads request line and headers, up to and with the empty line. nullopt for anything but HTTP/1
/// with a target that begins with `/`: proxies are asked for others.
[[nodiscard]] std::optional<ServedRequest> parse_request_head(std::string_view head);

/// Whether a request asks for this machine by its own name: one `Host` header, and that 127.0.0.1
/// or localhost, with any port (a tunnel has another one). A page from elsewhere whose name was
/// pointed here (DNS rebinding) still says its own name.
[[nodiscard]] bool names_this_machine(const ServedRequest& request);

struct ServedResponse {
  int status = 200;
  std::vector<HttpHeader> headers;          ///< beside those that the server writes
  std::shared_ptr<const std::string> body;  ///< null: none
};

/// What a server puts up with.
struct ServerLimits {
  /// From a connection's beginning to the end of its request's head. Browsers open connections that
  /// they may never use.
  std::chrono::milliseconds head_time{5000};
  /// Beyond so many at once, the one that has waited longest without a request is closed for each
  /// new one; where all have one, the new one is.
  std::size_t connections = 128;
};

/// An HTTP/1.1 server for browsers on this machine: listens on 127.0.0.1 only, answers GET only and
/// only to requests that name this machine, a connection a request, one thread for all. Of a
/// request 16 KiB are read. Every response forbids that other sites embed it,
/// that browsers guess its type, and that it is kept.
class HttpServer {
 public:
  /// Called on the server's thread, which waits meanwhile; must not throw.
  using Answer = std::function<ServedResponse(const ServedRequest&)>;

  /// `port` 0: any free one. Errors: outside, where the port is taken or not ours to take.
  [[nodiscard]] static Result<std::unique_ptr<HttpServer>> listen(std::uint16_t port, Answer answer,
                                                                  const ServerLimits& limits = {});
  /// Ends all connections.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;

 private:
  class Loop;
  explicit HttpServer(std::unique_ptr<Loop> loop);
  std::unique_ptr<Loop> loop_;
};

}  // namespace unmask::net
